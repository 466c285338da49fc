/** How the fake service answers what the pages of style guides ask for. */
import type { PolicySettings, StyleGuideOut, StyleGuideRule } from '../../src/api/style-guide-shapes.ts'
import { SvcError } from '../../src/errors.ts'
import { policyOf } from '../../web/src/features/style-guides/policy-change.ts'
import type { Answerer } from './fake-answers.ts'
import { at, findings, grade, projects } from './fake-data.ts'

const digest = `sha256:${'a1'.repeat(32)}`

const guide = (id: string, name: string, changed: Partial<StyleGuideOut> = {}): StyleGuideOut => ({
  id,
  name,
  description: 'What every API keeps.',
  builtin: false,
  isDefault: false,
  sourceGuideId: null,
  rulesOn: 2,
  rulesTotal: 3,
  customRules: 1,
  assignments: 0,
  digest,
  createdAt: at,
  updatedAt: at,
  ...changed,
})

const guides = [
  guide('svc-recommended', 'svc:recommended', {
    builtin: true,
    isDefault: true,
    customRules: 0,
    createdAt: null,
    updatedAt: null,
  }),
  guide('g1', 'House', { assignments: 1, sourceGuideId: 'svc-recommended' }),
]

const rule = (id: string, changed: Partial<StyleGuideRule> = {}): StyleGuideRule => ({
  id,
  origin: 'builtin',
  enabled: true,
  severity: 'warning',
  defaultSeverity: 'warning',
  recommended: true,
  formats: ['oas3'],
  description: 'The info has a `contact`.',
  documentationUrl: null,
  ...changed,
})

const rules = [
  rule('info-contact'),
  rule('operation-tags', { enabled: false, severity: 'error' }),
  rule('title-says-api', { origin: 'custom', formats: null, documentationUrl: 'https://example.com/rules' }),
]
const yaml = 'rules:\n  title-says-api:\n    given: $.info.title\n    then: { function: pattern }\n'

const policy: PolicySettings = {
  guideId: 'g1',
  policyGates: {
    'unresolved-refs': 'warn',
    'lint-grade': 'block',
    'lint-findings': 'warn',
    'semver-consistent': 'warn',
    compat: 'off',
    'consumer-impact': 'warn',
    minGrade: 'B',
    failOn: 'error',
  },
  breakingPublishGuardrail: 'warn',
  approvalPolicy: { required: false, minApprovals: 1 },
  requiredReviewerRole: 'admin',
  updatedAt: at,
}

const pack = (version: number) => ({
  id: `pack-${version}`,
  guideId: 'g1',
  version,
  digest,
  rulesOn: 2,
  createdBy: 'u1',
  createdAt: at,
})
const packedPolicy = policyOf(policy)
const contents: Record<string, object> = {
  'pack-1': { rules: rules.slice(0, 2), customRulesYaml: '', policy: packedPolicy },
  'pack-2': { rules, customRulesYaml: yaml, policy: { ...packedPolicy, requiredReviewerRole: null } },
}

const graded = (letter: string | null, score: number | null) => ({ grade: letter, score })
const listOf = <T>(items: readonly T[]) => ({ items, total: items.length, limit: 50, offset: 0 })

const guideOf = (id: string | undefined): StyleGuideOut => {
  const found = guides.find((it) => it.id === id)
  if (!found) throw new SvcError('style-guide-not-found', { guide: id ?? '' })
  return found
}

export const styleGuideAnswerers: Record<string, Answerer> = {
  'style-guides.list': () => listOf(guides),
  'style-guides.get': (_, { params }) => guideOf(params['guide_id']),
  'style-guides.rules': () => ({ items: rules, total: rules.length }),
  'style-guides.set-rule': (_, { params, body }) => ({ ...rules.find((it) => it.id === params['rule_id']), ...body }),
  'style-guides.custom-rules': () => ({ guideId: 'g1', yaml, rules: rules.slice(2), updatedAt: at }),
  'style-guides.put-custom-rules': (_, { body }) => ({
    guideId: 'g1',
    yaml: String(body['yaml']),
    rules: rules.slice(2),
    updatedAt: at,
  }),
  'style-guides.preview-custom-rules': () => ({ rules: rules.slice(2), grade, findings, unmatchedRules: [] }),
  'style-guides.assignments': () =>
    listOf(
      projects.slice(0, 3).map((it, index) => ({
        projectId: it.id,
        projectSlug: it.slug,
        guideId: index === 0 ? 'g1' : 'svc-recommended',
        guideName: index === 0 ? 'House' : 'svc:recommended',
        reason: index === 0 ? 'assignment' : 'tenant-default',
      })),
    ),
  'style-guides.impact': () =>
    listOf(
      [graded('A', 96), graded(null, null)].map((after, index) => ({
        projectId: `p${index}`,
        projectSlug: `api-${index}`,
        versionId: `v${index}`,
        label: '1.0.0',
        guideId: 'svc-recommended',
        before: graded('B', 81.5),
        after,
        changed: true,
      })),
    ),
  'style-guides.relint': (_, { params }) => ({
    jobId: params['job_id'],
    status: 'completed_with_warnings',
    progress: { done: 3, total: 3 },
    result: { linted: 2, changed: 1, skipped: [{ project: 'api-2', version: '1.0.0', reason: 'its text is gone' }] },
    error: null,
    createdAt: at,
    finishedAt: at,
  }),
  'style-guides.policy': () => policy,
  'style-guides.policy-versions': () => listOf([pack(2), pack(1)]),
  'style-guides.policy-version': (_, { params }) => {
    const id = params['policy_version_id'] ?? ''
    return { ...pack(id === 'pack-1' ? 1 : 2), name: 'House', description: '', ...contents[id] }
  },
}
