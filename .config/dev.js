// The entry of `npm run dev`, which runs the server's sources. A Ctrl-C comes twice, from the terminal and from `node --watch`.
// Without a permanent listener, the second one would end the server before it has stopped its PostgreSQL.
process.on('SIGINT', () => {});
await import(String(new URL('../server/src/cli.ts', import.meta.url)));
