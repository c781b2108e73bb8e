/** Limits of the deliveries of one server. */
export interface DeliveryBounds {
  /** Hooks that take turns; some 2 KB each. The others follow when one of them has nothing that is due. */
  hooks: number;
  /** Attempts in flight. */
  inFlight: number;
  /** Attempts in flight to one host. */
  inFlightPerHost: number;
  /** Attempts in flight to hooks that fail or are slow, so that they leave places to the others. */
  inFlightSlow: number;
  /** Deliveries of a hook that are claimed together. Their order or enrollment is read at the attempt. */
  claimed: number;
  /** Pause after each round of claims and outcomes, while there is work. */
  pauseMs: number;
  /** The same while many orders wait; then one hook's deliveries are claimed in each round. */
  busyPauseMs: number;
  /** Pause between two searches for deliveries that are due, while there is none. */
  idleMs: number;
  /** Time that a stopping server gives attempts in flight. */
  stopMs: number;
}

/** Limits of every server; tests use others. */
export const deliveryBounds: DeliveryBounds = {
  hooks: 1_000,
  inFlight: 50,
  inFlightPerHost: 5,
  inFlightSlow: 25,
  claimed: 50,
  pauseMs: 15,
  busyPauseMs: 1_000,
  idleMs: 1_000,
  stopMs: 4_000,
};
