import { runCommand } from './commands/program.js';

// `orderbeacon … | head` closes the pipe early. That is no failure, unless the command has set an exit code by then.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' && !process.exitCode) process.exit(0);
  process.stderr.write(`orderbeacon: Cannot write the output: ${code}.\n`);
  process.exit(1);
});

// Unheard, the error would end a command half-way, and a server with all that is in flight.
process.stderr.on('error', () => {});

process.exitCode = await runCommand(process.argv.slice(2), process);
// An open stdin keeps the process alive, and its writer may go on long after the first bad line.
if (process.exitCode !== 0) process.stdin.destroy();
