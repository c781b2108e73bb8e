import type { Uuid } from '../values/ids.js';
import type { HookDelivery } from './hookDelivery.js';

/** Reads a subject as hooks are told of it. Undefined when it was removed or its buyer was erased. */
export type ReadSubject = (teamId: Uuid, id: Uuid) => Promise<object | undefined>;

/** Readers of the two kinds of subjects. */
export interface SubjectReaders {
  order: ReadSubject;
  enrollment: ReadSubject;
}

/** Reads the content of a delivery as it is now. Undefined when its subject is gone. */
export async function readContent(
  { order, enrollment }: SubjectReaders,
  teamId: Uuid,
  { type, subjectId, data }: Pick<HookDelivery, 'type' | 'subjectId' | 'data'>,
): Promise<unknown> {
  if (subjectId === null) return data ?? undefined;
  return type === 'enrollment.created' ? enrollment(teamId, subjectId) : order(teamId, subjectId);
}
