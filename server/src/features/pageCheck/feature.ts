import type { Feature } from '../feature.js';
import { pageChecks } from './checks.js';
import { pageCheckPart } from './console/part.js';

/** Looks at a shop's page for the tag, and says what keeps it from reporting. */
export const pageCheck: Feature = { name: 'pageCheck', checks: pageChecks, console: pageCheckPart };
