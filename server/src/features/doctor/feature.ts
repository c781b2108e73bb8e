import type { Feature } from '../feature.js';
import { addDoctorCommand } from './commands.js';

/** Checks everything that orders need to arrive. */
export const doctor: Feature = {
  name: 'doctor',
  commands: (program, { io, checks }) => addDoctorCommand(program, io, checks),
};
