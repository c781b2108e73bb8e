/**
 * True when this Node can run Orderbeacon. Otherwise says so in one line, because what follows would end in a stack, and
 * sets the exit code.
 */
export function isNodeNewEnough() {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  // The `engines` of the packages.
  if (major > 20 || (major === 20 && minor >= 19)) return true;
  process.stderr.write(
    `orderbeacon: This is Node ${node}, but Orderbeacon needs Node 20.19 or newer. See: https://nodejs.org/en/download\n`,
  );
  process.exitCode = 1;
  return false;
}
