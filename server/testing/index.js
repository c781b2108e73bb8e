export { startOrderbeacon } from '../dist/features/testing/startOrderbeacon.js';
