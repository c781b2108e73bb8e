import { UsageError } from '../commands/command.js';
import { command } from '../values/command.js';

const webhooks = `the page Webhooks of the console (${command} console --team TEAM) does it`;
const refused = `the page Refused of the console (${command} console --team TEAM) does it`;

/**
 * Commands and options of 0.3.0 that were removed, with their replacements. They are listed for one release. A key is the words
 * that a user types.
 */
export const removed: Record<string, string> = {
  'hook test': webhooks,
  'hook deliveries': webhooks,
  'hook resend': webhooks,
  'hook enable': webhooks,
  'hook disable': webhooks,
  'refused show': `${command} refused list --team TEAM --json prints the report, and ${refused}`,
  'refused discard': refused,
  'refused restore': `${refused}: Undo brings back what was discarded in the last day`,
  'refused replay --email': refused,
  'refused replay --amount': refused,
  'refused replay --currency': refused,
  'refused replay --order-id': refused,
  'order sources': `the overview of the console (${command} console --team TEAM) has these figures`,
  'order discard': `the order's page of the console (${command} console --team TEAM) does it`,
  'product export': `${command} product list --team TEAM names the products, and GET /svc-api/v1/products/SLUG has each as product import takes it`,
  'person export --format': `${command} person list --team TEAM --json prints all people`,
  'person edit': `${command} person add --team TEAM --email EMAIL --name NAME sets the name`,
};

/**
 * Refuses a command or an option that was removed, in one line that names its replacement.
 * @throws UsageError
 */
export function refuseRemoved(args: readonly string[]): void {
  const [resource, verb, ...rest] = args;
  const options = rest.map((arg) => arg.split('=')[0]!);
  for (const key of [`${resource} ${verb}`, ...options.map((option) => `${resource} ${verb} ${option}`)]) {
    const instead = removed[key];
    if (instead !== undefined) throw new UsageError(`"${key}" was removed in 0.4.0: ${instead}.`);
  }
}
