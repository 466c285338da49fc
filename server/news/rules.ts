/** What goes to a target: pure, so that every rule can be held against every event. */
import type { StoredRule } from '../../src/api/notification-targets.ts'
import { notificationTypes, type NotificationType } from '../../src/api/notifications.ts'

/** The project that news are about, as rules see it. */
export interface ProjectFacts {
  readonly id: string
  readonly tags: readonly string[]
}

/** News of these types are addressed to the person: they arrive from a project that the person muted. */
export const addressedTypes: ReadonlySet<NotificationType> = new Set(['mention', 'review_requested'])

/** What the bell gets of somebody who chose nothing. */
export const usualBell: readonly StoredRule[] = notificationTypes.map((type) => ({ type, projects: null, tags: null }))

/** Types that no rule can keep from the bell: they are about the safety of the account. */
export const alwaysInBell: ReadonlySet<NotificationType> = new Set(['account'])

/** Types that are about one person, and never of an organization. */
export const personalTypes: ReadonlySet<NotificationType> = new Set(['mention', 'account'])

/** Whether rules let news of a type and project through. News of no project pass a rule that is not limited to some. */
export function passes(rules: readonly StoredRule[], type: NotificationType, project: ProjectFacts | null): boolean {
  const rule = rules.find((one) => one.type === type)
  if (rule === undefined) return false
  if (rule.projects === null && rule.tags === null) return true
  if (project === null) return false
  return rule.projects?.includes(project.id) === true || rule.tags?.some((tag) => project.tags.includes(tag)) === true
}
