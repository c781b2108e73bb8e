// `npm run typecheck`: checks the types of everything, or of the projects that are named.
import { fork } from 'node:child_process';
import { argv } from 'node:process';
import ts from 'typescript';
import { root } from './freshness.js';

/** The folders whose tsconfig.json checks types. `sdk` and `sdk/client` know nothing of Node, as browsers do not. */
export const projects = ['.config', 'sdk', 'sdk/client', 'sdk/test', 'server/test', 'e2e'];

/**
 * Checks projects one after the other in one other process, each only for what changed since its last check.
 * @param {readonly string[]} wanted of `projects`
 * @returns {Record<string, Promise<string>>} by project what the compiler says, with `path(line,column)` each; empty
 *   when all types fit
 */
export function checkTypes(wanted = projects) {
  const child = fork(import.meta.filename, ['--answer', ...wanted], { execArgv: [] });
  const ended = new Promise((_, reject) => {
    child.once('exit', (code) => reject(new Error(`The check of types ended with ${code}.`)));
  });
  /** @type {(project: string) => Promise<string>} */
  const answer = (project) =>
    new Promise((resolve) => {
      child.on('message', (/** @type {[string, string]} */ [name, mistakes]) => {
        if (name === project) resolve(mistakes);
      });
    });
  return Object.fromEntries(wanted.map((project) => [project, Promise.race([answer(project), ended])]));
}

/**
 * Declarations of libraries, which projects share: to parse them anew for each would take a sixth of the time.
 * @type {Map<string, ts.SourceFile | undefined>}
 */
const declarations = new Map();

/** @param {string} project */
function checkProject(project) {
  const tsBuildInfoFile = `${root}node_modules/.cache/types/${project.replace('/', '-')}.json`;
  const config = ts.getParsedCommandLineOfConfigFile(
    `${root}${project}/tsconfig.json`,
    { noEmit: true, incremental: true, tsBuildInfoFile },
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic({ messageText }) {
        throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
      },
    },
  );
  const { options, fileNames, errors } = /** @type {ts.ParsedCommandLine} */ (config);
  const host = ts.createIncrementalCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (path, format, ...others) => {
    if (!/\/node_modules\/.*\.d\.[cm]?ts$/.test(path)) return getSourceFile(path, format, ...others);
    const key = `${path} ${JSON.stringify(format)}`;
    if (!declarations.has(key)) declarations.set(key, getSourceFile(path, format, ...others));
    return declarations.get(key);
  };
  const program = ts.createIncrementalProgram({
    rootNames: fileNames,
    options,
    configFileParsingDiagnostics: errors,
    host,
  });
  const mistakes = [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getOptionsDiagnostics(),
    ...program.getSyntacticDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program.getSemanticDiagnostics(),
    // Writes what the next check does not have to repeat.
    ...program.emit().diagnostics,
  ];
  return ts.formatDiagnostics(ts.sortAndDeduplicateDiagnostics(mistakes), host);
}

if (argv[1] === import.meta.filename) {
  const [option, ...wanted] = argv.slice(2);
  if (option === '--answer') {
    for (const project of wanted) process.send?.([project, checkProject(project)]);
  } else {
    for (const project of option ? [option, ...wanted] : projects) {
      const mistakes = checkProject(project);
      if (!mistakes) continue;
      process.stdout.write(mistakes);
      process.exitCode = 1;
    }
  }
}
