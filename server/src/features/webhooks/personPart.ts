import type { PersonPart } from '../../commands/personPart.js';
import { forgetMentions } from './sql/subject.js';

/** What webhooks were sent of a person. A buyer whom a later report has replaced is no person any more, and may still stand in it. */
export const deliveriesOfPerson: PersonPart = { name: 'deliveries', forget: forgetMentions };
