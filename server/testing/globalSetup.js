export { startSharedServer as default } from '../dist/commands/testing/sharedServer.js';
