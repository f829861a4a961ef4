"""The limit: bare sockets (picows on uvloop) that repeat an action's number to a table's seven.

`bare.py PORT BYTES`: nothing is judged, drawn or kept; each message is padded to that size.
"""

import re
import sys
from collections import defaultdict

import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, WSUpgradeRequest, ws_create_server

NUMBER = re.compile(rb"\d+")
PAD = b"x" * int(sys.argv[2])
tables: defaultdict[bytes, set[WSTransport]] = defaultdict(set)


class Phone(WSListener):
    def __init__(self, table: bytes) -> None:
        super().__init__()
        self.table = table

    def on_ws_connected(self, transport: WSTransport) -> None:
        tables[self.table].add(transport)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        tables[self.table].discard(transport)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type != WSMsgType.TEXT:
            return
        found = NUMBER.search(frame.get_payload_as_bytes())
        if found:
            told = b'{"seq":%s,"pad":"%s"}' % (found[0], PAD)
            for phone in tables[self.table]:
                phone.send(WSMsgType.TEXT, told)


def sit(request: WSUpgradeRequest) -> Phone:
    return Phone(bytes(request.path).split(b"/")[1])


async def main() -> None:
    server = await ws_create_server(sit, "127.0.0.1", int(sys.argv[1]))
    await server.serve_forever()


uvloop.run(main())
