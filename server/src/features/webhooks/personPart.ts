import type { PersonPart } from '../../commands/personPart.js';
import { forgetMentions } from './sql/subject.js';

/**
 * Erases the deliveries that mention a person. A buyer whom a later report has replaced is no longer a stored person,
 * but may still be mentioned.
 */
export const deliveriesOfPerson: PersonPart = { name: 'deliveries', forget: forgetMentions };
