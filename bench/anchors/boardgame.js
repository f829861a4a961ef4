// boardgame.io as it comes: its own server with socket.io, matches kept in memory. A game of dice in
// which everybody may roll at any time, so that no action waits for a turn.
const { Server, Origins } = require("boardgame.io/server");
const { ActivePlayers } = require("boardgame.io/core");

const tavern = {
  name: "tavern",
  minPlayers: 7,
  maxPlayers: 7,
  setup: () => ({ last: null, sums: Array(7).fill(0), lately: [] }),
  turn: { activePlayers: ActivePlayers.ALL },
  moves: {
    roll: ({ G, playerID }, face) => {
      G.last = { who: playerID, face };
      G.sums[playerID] += face;
      G.lately = [...G.lately.slice(-9), face];
    },
  },
};

Server({ games: [tavern], origins: [Origins.LOCALHOST] }).run(Number(process.argv[2]));
