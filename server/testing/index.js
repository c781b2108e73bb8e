export { startOrderbeacon } from '../dist/app/testing.js';
