/** The typed client under its first name. It is `@orderbeacon/sdk/client`, which installs without the server. */
export * from '@orderbeacon/sdk/client';
