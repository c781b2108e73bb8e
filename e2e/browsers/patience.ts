/** Time limit of a browser's step or of an order's arrival. A busy machine needs more than the drivers' own 30 s. */
export const patientMs = 45_000;
