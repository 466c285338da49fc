/** The sentences of the activity, and which grades need attention: pure decisions of the first page. */
import { describe, expect, test } from 'bun:test'
import { linesOf } from '../../../server/home/activity.ts'
import { gradeConcern } from '../../../server/home/standing.ts'
import { freshPolicy } from '../../../server/style-guides/policy.ts'

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

describe('grades', () => {
  const version = (label: string, status: string, grade: string | null, day: number) => ({
    id: label,
    projectId: 'p',
    label,
    slug: label,
    status: status as 'draft',
    digest: label,
    grade,
    createdBy: null,
    createdAt: `2026-11-${String(day).padStart(2, '0')}T00:00:00.000Z`,
    updatedAt: '2026-11-01T00:00:00.000Z',
    sunsetAt: null,
  })
  const guide = { mark: '', policy: freshPolicy }
  const concern = (...versions: ReturnType<typeof version>[]) => {
    const found = gradeConcern({ versions, guide })
    return found && [found.version.label, found.grade, found.before, found.minimum]
  }

  test('the newest is compared with the one before it and with the policy', () => {
    const [one, two] = [version('1.0.0', 'published', 'A', 1), version('1.1.0', 'published', 'B', 2)]
    expect(concern(one, two)).toEqual(['1.1.0', 'B', { label: '1.0.0', grade: 'A' }, null])
    expect(concern(version('1.0.0', 'published', 'D', 1))).toEqual(['1.0.0', 'D', null, 'B'])
    expect(concern(one)).toBeNull()
    expect(concern()).toBeNull()
  })

  test('a draft counts while it is newer than what is published; what has no grade never does', () => {
    const old = version('1.0.0', 'published', 'A', 5)
    expect(concern(old, version('2.0.0', 'draft', 'C', 6))).toEqual(['2.0.0', 'C', { label: '1.0.0', grade: 'A' }, 'B'])
    expect(concern(old, version('0.9.0', 'draft', 'C', 4))).toBeNull()
    expect(concern(old, version('2.0.0', 'draft', null, 6))).toBeNull()
  })

  test('a policy without the gate asks for no grade', () => {
    const policy = { ...freshPolicy, policyGates: { ...freshPolicy.policyGates, 'lint-grade': 'off' as const } }
    expect(gradeConcern({ versions: [version('1.0.0', 'published', 'F', 1)], guide: { mark: '', policy } })).toBeNull()
  })
})
