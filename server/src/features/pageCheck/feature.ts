import type { Feature } from '../../host/host.js';
import { pageChecks } from './checks.js';
import { addPageCheck } from './console/addPageCheck.js';

/** Checks a shop's page, and describes why it cannot report orders. */
export const pageCheck: Feature = {
  name: 'pageCheck',
  install(host) {
    host.doctor(pageChecks);
    addPageCheck(host.console);
  },
};
