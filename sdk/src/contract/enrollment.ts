/** The body of `POST /svc-api/v1/sequences/enroll`. */
export interface EnrollmentRequest {
  /** A person of the team who already exists. */
  email: string;
  /** The sequence, `seq_…`. */
  sequenceId: string;
}

/** The answer to an enrollment. */
export interface Enrollment {
  /** Always `true`: the person is in the sequence now. */
  enrolled: boolean;
  /** The enrollment, `sub_…`. The same person and sequence always give the same one. */
  subscriptionId: string;
  /** The person, `ppl_…`. */
  peopleId: string;
  /** The sequence, as it was sent. */
  sequenceId: string;
}
