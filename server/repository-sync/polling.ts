/** When repositories are polled, and what a poll follows. */
const minuteMs = 60_000
const pollEveryMs = 5 * minuteMs
/** Pushes are reported by a hook: polls only find what it missed. */
const pollWithHookMs = 15 * minuteMs
/** Pauses after polls that failed, one after the other. */
const backOffMs = [1, 5, 30, 360].map((minutes) => minutes * minuteMs)

/**
 * The pause before the next poll, a fifth shorter or longer by chance, so that many repositories do not ask at the same instant.
 * @param random from 0 to 1
 */
export const pauseBeforePoll = (hasHook: boolean, random: number): number =>
  (hasHook ? pollWithHookMs : pollEveryMs) * (0.8 + 0.4 * random)

/** The pause after a failure. @param failures in a row before it */
export const pauseAfterFailure = (failures: number): number => backOffMs[Math.min(failures, backOffMs.length - 1)] ?? 0

/** Whether a failure is reported to people: the first in a row is. @param failures in a row before it */
export const isNewFailure = (failures: number): boolean => failures === 0

/** The branches of a repository as they were indexed, or as they are. */
export interface BranchHeads {
  readonly defaultBranch: string | null
  /** Commits of the branches that are indexed, or are to be, by name. */
  readonly commits: ReadonlyMap<string, string | undefined>
}

/** Whether a branch that is indexed, or is to be, moved since. */
export const hasMoved = (before: BranchHeads, now: BranchHeads): boolean =>
  before.defaultBranch !== now.defaultBranch ||
  before.commits.size !== now.commits.size ||
  [...now.commits].some(([branch, commit]) => before.commits.get(branch) !== commit)
