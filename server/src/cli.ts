import { runCommand } from './app/program.js';

/** The error after which stdout takes no more. The command hears of it when it prints, and still closes its database. */
let fault: NodeJS.ErrnoException | undefined;
process.stdout.on('error', (error) => {
  fault ??= error;
});

// Unheard, the error would end a command half-way, and a server with all that is in flight.
process.stderr.on('error', () => {});

process.on('exit', (code) => {
  // `orderbeacon … | head` closes the pipe early. That is no failure, unless the command has set an exit code by then.
  if (fault === undefined || (fault.code === 'EPIPE' && code === 0)) return;
  process.stderr.write(`orderbeacon: Cannot write the output: ${fault.code}.\n`);
  process.exitCode = 1;
});

process.exitCode = await runCommand(process.argv.slice(2), process);
// An open stdin keeps the process alive, and its writer may go on long after the first bad line.
if (process.exitCode !== 0) process.stdin.destroy();
