export { stopSharedServer as default } from '../dist/features/testing/sharedServer.js';
