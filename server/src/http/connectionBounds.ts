/** Limits of connections, most of them by the names of Node's options. They end clients that hold one without sending a request. */
export interface ConnectionBounds {
  /** Milliseconds from a connection's first byte, or the end of the answer before, to the end of the headers. */
  headersTimeout: number;
  /** Milliseconds to the end of the body: 64 KiB take 26 s over 20 kbit/s. */
  requestTimeout: number;
  /**
   * Milliseconds that a connection may wait for its next request. They are over the 60 s of usual load balancers, which would
   * otherwise meet a connection that is just closing.
   */
  keepAliveTimeout: number;
  /** Milliseconds that an answer may wait for a client that reads none of it. */
  timeout: number;
  /** Milliseconds between two searches for late headers and bodies. */
  connectionsCheckingInterval: number;
  /** Bytes of the headers: a shop's cookies come along where reports go through its own host, and had 18 kB. */
  maxHeaderSize: number;
  /** Concurrent connections, of some 10 kB each. */
  connections: number;
  /** Unanswered requests of one connection. Browsers and proxies send the next request after the answer. */
  pipelined: number;
}

/** Limits of every server; tests set shorter ones. */
export const connectionBounds: ConnectionBounds = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  timeout: 60_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 32_768,
  connections: 10_000,
  pipelined: 8,
};
