import type { Feature } from '../../host/host.js';
import { pageChecks } from './checks.js';
import { addPageCheck } from './console/addPageCheck.js';

/** Looks at a shop's page for the tag, and says what keeps it from reporting. */
export const pageCheck: Feature = {
  name: 'pageCheck',
  install(host) {
    host.doctor(pageChecks);
    addPageCheck(host.console);
  },
};
