import { parseDuration } from '../../src/kernel/duration.ts'

const mostAttempts = 50
const longestMs = 7 * 24 * 3_600_000

/**
 * The pauses of SVC_WEBHOOK_SCHEDULE, in milliseconds: one before each attempt.
 * @returns null where one of them is not a duration of at most 7 days, and where there are more than 50
 */
export function readSchedule(text: string): readonly number[] | null {
  const pauses = text.split(',').map((part) => parseDuration(part))
  const isRight = (pause: number | null): pause is number => pause !== null && pause <= longestMs
  return pauses.length <= mostAttempts && pauses.every(isRight) ? pauses : null
}
