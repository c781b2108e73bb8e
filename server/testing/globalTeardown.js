export { stopSharedServer as default } from '../dist/app/testing.js';
