export { startOrderbeacon } from '../dist/testing/startOrderbeacon.js';
