/** Stops the server that `globalSetup` has started. Jest alone needs it. */
export default function stopSharedServer(): Promise<void>;
