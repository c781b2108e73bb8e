export { startSharedServer as default } from '../dist/features/testing/sharedServer.js';
