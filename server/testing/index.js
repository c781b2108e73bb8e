export { startOrderbeacon } from '../dist/commands/testing/startOrderbeacon.js';
