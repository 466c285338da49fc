/** The sentences of the activity, and which grades need attention: pure decisions of the first page. */
import { describe, expect, test } from 'bun:test'
import { linesOf } from '../../../server/home/activity.ts'

const event = (at: string, action: string, label: string, more: object = {}) => ({
  id: `${at} ${action}`,
  at: `2026-11-20T${at}.000Z`,
  action,
  actor: 'Ada',
  actorId: 'user:1',
  means: 'web' as const,
  project_slug: 'museum',
  project_name: 'Museum',
  version_slug: label,
  label,
  severity: null,
  initial: false,
  ...more,
})
const line = ({ first, others }: ReturnType<typeof linesOf>[number]) => `${first.action} ${first.label} +${others}`

describe('activity', () => {
  test('an import that published is listed as the publication; what was done to many is listed once', () => {
    const events = [
      event('12:00:05', 'version.published', '1.2.0', { severity: 'docs-only' }),
      event('12:00:04', 'version.imported', '1.2.0'),
      event('11:40:00', 'version.imported', '1.1.0'),
      event('11:39:00', 'version.imported', '1.0.0'),
      event('10:10:00', 'version.imported', '0.9.0'),
      event('10:09:00', 'version.imported', '0.8.0', { actorId: 'user:2' }),
    ]
    expect(linesOf(events).map(line)).toEqual([
      'version.published 1.2.0 +0',
      'version.imported 1.1.0 +1',
      'version.imported 0.9.0 +0',
      'version.imported 0.8.0 +0',
    ])
  })

  test('a breaking publication is never one of many, and an import of long before stays', () => {
    const events = [
      event('12:05:00', 'version.published', '3.0.0', { severity: 'non-breaking' }),
      event('12:04:00', 'version.published', '2.0.0', { severity: 'breaking' }),
      event('12:01:00', 'version.imported', '2.0.0'),
    ]
    expect(linesOf(events).map(line)).toEqual([
      'version.published 3.0.0 +0',
      'version.published 2.0.0 +0',
      'version.imported 2.0.0 +0',
    ])
  })
})
