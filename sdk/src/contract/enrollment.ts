/** The body of `POST /svc-api/v1/sequences/enroll`. */
export interface EnrollmentRequest {
  /** A person of the team who already exists. */
  email: string;
  /** `seq_…` */
  sequenceId: string;
}

/** The answer to an enrollment. The same person and sequence always give the same `subscriptionId`. */
export interface Enrollment {
  enrolled: boolean;
  subscriptionId: string;
  peopleId: string;
  sequenceId: string;
}
