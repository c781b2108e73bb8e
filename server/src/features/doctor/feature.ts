import type { Feature } from '../../host/host.js';
import { addDoctorCommand } from './commands.js';

/** Checks everything that orders need to arrive. */
export const doctor: Feature = {
  name: 'doctor',
  install: (host) => host.command(addDoctorCommand),
};
