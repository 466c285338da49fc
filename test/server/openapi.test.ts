import { Ajv2020 } from 'ajv/dist/2020.js'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'bun:test'
import { endpoints } from '../../src/api/contracts.gen.ts'
import { formType } from '../../src/api/endpoint.ts'
import { describeService } from '../../server/openapi/describe.ts'
import { analyseText } from '../../server/analysis/analyse-text.ts'

const contract = describeService(endpoints)

test('the published contract is valid OpenAPI 3.1, says a validator that is not ours', async () => {
  const result = await new Validator().validate(structuredClone(contract))
  expect(result.errors ?? []).toEqual([])
  expect(result.valid).toBe(true)
})

test('it is grade A by our own guide', () => {
  const { grade, invalid, findings } = analyseText(JSON.stringify(contract), {
    source: 'openapi.json',
    format: 'auto',
    projectNameField: null,
  })
  expect(invalid).toEqual([])
  expect(findings.filter((one) => one.severity === 'error')).toEqual([])
  expect(grade.grade).toBe('A')
})

test('operation ids are unique, bodies are closed', () => {
  const ids = endpoints.map((it) => it.id)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  const open = endpoints.filter(
    (it) =>
      it.body &&
      (it.body as { additionalProperties?: unknown; type?: string }).type === 'object' &&
      (it.body as { additionalProperties?: unknown }).additionalProperties !== false,
  )
  // A directory sends attributes that are not kept (RFC 7644, section 3.3).
  expect(open.map((it) => it.id).filter((id) => !id.startsWith('scim.'))).toEqual([])
})

test('a form has the fields of the JSON body, with those that are required', () => {
  type Described = { requestBody: { content: Record<string, { schema: { $ref?: string } }> } }
  const paths = contract['paths'] as Record<string, Record<string, Described>>
  type Shape = { title: string; required?: string[]; additionalProperties?: boolean }
  const { schemas } = contract['components'] as { schemas: Record<string, Shape> }
  // Operations of the application alone are no part of the contract.
  const forms = endpoints.filter(({ accepts, path }) => accepts?.includes(formType) && !path.startsWith('/_app/'))
  const described = forms.map(({ id, path, method }) => {
    const { content } = paths[path]![method.toLowerCase()]!.requestBody
    const [json, form] = ['application/json', formType].map(
      (type) => schemas[content[type]!.schema.$ref!.split('/').at(-1)!]!,
    )
    // Other fields of a form are skipped (RFC 6749, 3.1), those of JSON refused.
    expect<object>({ ...form, title: json!.title, additionalProperties: false }).toEqual(json!)
    return [id, form!.title, form!.required ?? []]
  })
  expect(described).toEqual([
    ['auth.device.code', 'AuthDeviceCodeForm', []],
    ['auth.device.token', 'AuthDeviceTokenForm', ['device_code']],
    ['trusts.exchange', 'TrustsExchangeForm', ['subject_token']],
  ])
})

test('every operation says whether the specification asks for it', () => {
  const asked = endpoints.filter(({ origin }) => origin === 'spec').map(({ id }) => id.split('.')[0] ?? '')
  const counts = Object.fromEntries(
    [...Map.groupBy(asked, (group) => group)].map(([group, ids]) => [group, ids.length]),
  )
  expect(counts).toEqual({
    'agent-keys': 4,
    bindings: 7,
    'change-reports': 4,
    compatibility: 3,
    consumers: 10,
    diff: 1,
    documents: 7,
    gateway: 19,
    imports: 1,
    'mcp-servers': 3,
    'migration-plans': 3,
    notifications: 3,
    onboarding: 5,
    primitives: 12,
    repositories: 19,
    'repository-hooks': 6,
    'style-guides': 19,
    tenants: 3,
    webhooks: 6,
  })
  const published = Object.values(contract.paths as Record<string, Record<string, Record<string, unknown>>>)
    .flatMap((item) => Object.values(item))
    .map((operation) => operation['x-svc-origin'])
  // HEAD of an organization and the root are described without an endpoint of their own.
  expect(published.filter((origin) => origin === 'spec').length).toBe(asked.length + 2)
  expect(published.filter((origin) => origin !== 'spec' && origin !== 'own')).toEqual([])
})

type Plain = Record<string, unknown>
interface Media {
  readonly schema: Plain
  readonly example?: unknown
}
interface Operation {
  readonly operationId: string
  readonly requestBody?: { readonly content: Record<string, Media> }
  readonly responses: Record<
    string,
    { readonly $ref?: string; readonly headers?: Plain; readonly content?: Record<string, Media> }
  >
}
const document = contract as unknown as {
  readonly paths: Record<string, Record<string, Operation>>
  readonly webhooks: Record<string, { readonly post: Operation }>
  readonly components: { readonly schemas: Record<string, Plain> }
}
const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
const declared = operations.filter((it) => it.operationId !== 'service.root' && !it.operationId.endsWith('.head'))

test('shapes that the specification names are components of these names', () => {
  const wanted =
    'TenantsMeResponse TenantInfoResponse TenantLicenseResponse FirstTenantProvisionRequest FirstTenantProvisionResponse MembershipActivationRequest MembershipActivationResponse WizardStateUpsertRequest WizardStateResponse PactImportRequest ContractResponse AvailableSurfaceResponse ConsumerListResponse ConsumerInput ConsumerRecord ConsumerDetailResponse ConsumerPatch ConsumerContractRecord SurfaceSelection ContractRevisionsResponse StyleGuideListResponse StyleGuideCreateRequest StyleGuideOut StyleGuideUpdateRequest StyleGuideCustomRulesResponse StyleGuideCustomRulesPutRequest StyleGuideCustomRulesPreviewRequest StyleGuideCustomRulesPreviewResponse StyleGuidePolicySettingsOut StyleGuidePolicySettingsPutRequest StyleGuidePolicyVersionListResponse StyleGuidePolicyVersionOut VersionChangeReportOut VersionChangeReportPatch VersionChangeReportRegenerateRequest VersionPublishChangeReportPreviewRequest VersionPublishChangeReportPreviewOut CompatibilityCheckRequest CompatibilityCheckResponse CompatibilityEvidenceRequest ClassifiedDiffRequest ClassifiedDiffResponse HTTPValidationError'
  expect(wanted.split(' ').filter((name) => !(name in document.components.schemas))).toEqual([])
})

test('no address can be read as another one: where two differ, they differ in words', () => {
  const isHole = (segment: string): boolean => segment.startsWith('{')
  const paths = Object.keys(document.paths).map((path) => path.split('/'))
  const ambiguous = paths.flatMap((one, index) =>
    paths.slice(index + 1).flatMap((other) => {
      if (one.length !== other.length) return []
      const pairs = one.map((segment, at) => [segment, other[at] ?? ''] as const)
      if (pairs.some(([a, b]) => !isHole(a) && !isHole(b) && a !== b)) return []
      const isWider = pairs.some(([a, b]) => isHole(a) && !isHole(b))
      return isWider && pairs.some(([a, b]) => isHole(b) && !isHole(a)) ? [`${one.join('/')} ${other.join('/')}`] : []
    }),
  )
  expect(ambiguous).toEqual([])
})

test('null and words are written as generators of clients read them', () => {
  const wrong: string[] = []
  const visit = (value: unknown, at: string, isParameter: boolean): void => {
    if (value === null || typeof value !== 'object') return
    const { anyOf, type, required } = value as { anyOf?: Plain[]; type?: unknown; required?: unknown }
    if (Array.isArray(anyOf)) {
      const others = anyOf.filter((it) => it['type'] !== 'null')
      if (others.every((it) => 'const' in it)) wrong.push(`${at}: words as anyOf`)
      if (others.length === 1 && others[0]?.['$ref'] === undefined) wrong.push(`${at}: null as anyOf`)
    }
    if (isParameter && Array.isArray(type)) wrong.push(`${at}: a parameter that may be null`)
    for (const [key, part] of Object.entries(value))
      if (key !== 'example')
        visit(part, `${at}/${key}`, isParameter || (key === 'schema' && required !== undefined && 'in' in value))
  }
  visit({ paths: document.paths, components: document.components }, '', false)
  expect(wrong).toEqual([])
})

test('what clients of openapi-generator for Java and Python, or oapi-codegen, could not be made of is written otherwise', () => {
  const { schemas } = document.components
  const propertyOf = (shape: string, ...path: string[]): Plain =>
    path.reduce((it, name) => (it['properties'] as Record<string, Plain>)[name] ?? {}, schemas[shape] ?? {})
  // An array among the branches of a union: what is refused, and beside a named shape a condition.
  expect(propertyOf('PrimitiveImportRequest', 'document')).toEqual({
    not: { type: ['null', 'boolean', 'number'] },
    description: 'The document, or its text as JSON or YAML.',
  })
  const list = document.paths['/v1/primitives/{tenant_slug}']?.['get']?.responses['200']?.content?.['application/json']
  expect(list?.schema).toEqual({
    if: { type: 'array', items: {} },
    then: { type: 'array', items: { $ref: '#/components/schemas/PrimitiveSchema' } },
    else: { $ref: '#/components/schemas/PrimitiveSearchPage' },
  })
  // A truth value of which one is taken, and the number of a format.
  expect(propertyOf('ProjectBulkChangeRequest', 'change', 'delete')).toEqual({
    type: 'boolean',
    not: { const: false },
    description: 'Alone: delete the projects.',
  })
  expect(propertyOf('SecurityBundle', 'format')).toEqual({ type: 'integer', const: 1 })
  expect(Object.keys(schemas).filter((it) => ['Thread', 'Object', 'String', 'Record', 'Process'].includes(it))).toEqual(
    [],
  )

  const text = JSON.stringify({ paths: document.paths, schemas })
  expect(text.match(/"const":(?:true|false)[^}]*"type":"boolean"/g)).toBeNull()
})

test('every object that an operation takes or answers has a name', () => {
  const inline = declared.flatMap((it) =>
    [it.requestBody?.content['application/json'], it.responses['200']?.content?.['application/json']]
      .filter((media) => media?.schema['type'] === 'object' && media.schema['properties'] !== undefined)
      .map(() => it.operationId),
  )
  expect(inline).toEqual([])
})

test('every operation and every event has examples, and a validator that is not ours accepts each', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema({ $id: 'https://svc.test/openapi', components: document.components })
  const absolute = (schema: Plain): Plain =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"https://svc.test/openapi#/components/')) as Plain
  const missing: string[] = []
  const wrong: string[] = []
  for (const operation of [...declared, ...Object.values(document.webhooks).map(({ post }) => post)]) {
    const answers = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))
    const bodies = [operation.requestBody, ...answers.map(([, it]) => it)]
    for (const media of bodies.map((it) => it?.content?.['application/json'])) {
      if (media === undefined) continue
      if (media.example === undefined) missing.push(operation.operationId)
      else if (!ajv.validate(absolute(media.schema), media.example))
        wrong.push(`${operation.operationId}: ${ajv.errorsText()} in ${JSON.stringify(media.example).slice(0, 200)}`)
    }
  }
  expect(missing).toEqual([])
  expect(wrong).toEqual([])
}, 60_000)

test('every answer names its headers, and 405 is described', () => {
  const bare = declared.flatMap((it) =>
    Object.entries(it.responses)
      .filter(([, answer]) => answer.$ref === undefined && answer.headers?.['X-Request-Id'] === undefined)
      .map(([status]) => `${it.operationId} ${status}`),
  )
  expect(bare).toEqual([])
  expect(declared.filter((it) => it.responses['405'] === undefined)).toEqual([])
  const head = document.paths['/v1/tenants/{tenant_slug}']?.['head']
  expect(Object.values(head?.responses ?? {}).filter((it) => it.content !== undefined)).toEqual([])
  expect(head?.operationId).toBe('tenants.get.head')
})
