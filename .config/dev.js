// `npm run dev` runs the server's sources by it. A Ctrl-C comes twice, from the terminal and from `node --watch`. Without a
// listener that stays, the second one would end the server before it has stopped its PostgreSQL.
process.on('SIGINT', () => {});
await import(String(new URL('../server/src/cli.ts', import.meta.url)));
