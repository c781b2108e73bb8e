export { stopSharedServer as default } from '../dist/commands/testing/sharedServer.js';
