// Colyseus with its ws transport, one room a table: an action changes a field of the state, and the
// patch goes to all seven at once, not at the next of twenty ticks a second.
const http = require("http");
const { Room, Server, matchMaker } = require("@colyseus/core");
const { WebSocketTransport } = require("@colyseus/ws-transport");
const { schema } = require("@colyseus/schema");

const [port, reserving] = process.argv.slice(2).map(Number);
const SEATS = 7;
const View = schema({ said: "string" });

class Table extends Room {
  maxClients = SEATS;
  seatReservationTimeout = 120;
  state = new View();

  onCreate() {
    this.patchRate = null;
    this.onMessage("act", (_client, seq) => {
      this.state.said = JSON.stringify({ seq, pad: "x".repeat(580) });
      this.broadcastPatch();
    });
  }
}

const listener = http.createServer();
const server = new Server({ transport: new WebSocketTransport({ server: listener }), greet: false });
server.define("table", Table);

// GET /seats/<tables> on the second port: reserve every seat; answers one socket's path a line.
http
  .createServer(async (request, response) => {
    const paths = [];
    for (let table = Number(request.url.split("/")[2]); table > 0; table--) {
      const { roomId } = await matchMaker.createRoom("table", {});
      for (let seat = 0; seat < SEATS; seat++) {
        const held = await matchMaker.joinById(roomId, {});
        const room = held.room ?? held;
        paths.push(`/${room.processId}/${room.roomId}?sessionId=${held.sessionId}`);
      }
    }
    response.end(paths.join("\n"));
  })
  .listen(reserving, "127.0.0.1");
server.listen(port, "127.0.0.1");
