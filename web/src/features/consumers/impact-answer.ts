import type { CanIDeploy } from '../../../../src/api/consumer-shapes.ts'
import type { ConsumerImpact } from '../comparison/queries.ts'

/** What is said about deploying a version. */
export type ShortAnswer = Pick<CanIDeploy, 'answer' | 'message' | 'missing'>

/**
 * The answer of the service with what a comparison of the same versions found: a break that is known decides, whatever else could not be
 * decided.
 */
export const answerWith = (
  answer: ShortAnswer,
  own: Pick<ConsumerImpact, 'status' | 'name'> | undefined,
  version: string,
): ShortAnswer =>
  answer.answer !== 'no' && own?.status === 'broken'
    ? { answer: 'no', message: `${version} breaks ${own.name}.`, missing: null }
    : answer
