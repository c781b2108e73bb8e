export { startSharedServer as default } from '../dist/app/testing.js';
