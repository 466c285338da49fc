import { describe, expect, test } from 'bun:test'
import { answer, document, run, shown } from '../../fixtures/workflow/world.ts'

const list = (id: string, rest = ''): string =>
  `    - { stepId: ${id}, operationId: listOrders${rest === '' ? '' : `, ${rest}`} }\n`
const flow = (steps: string, rest = ''): string => `- workflowId: main\n${rest}  steps:\n${steps}`
const ok = () => answer(200, { id: 'a' })

describe('the order of steps', () => {
  test('one after another, with outputs that go on', async () => {
    const { result, sent } = await run(
      document(
        flow(
          `    - { stepId: one, operationId: listOrders, outputs: { id: '$response.body#/id' } }\n    - { stepId: two, operationId: getOrder, parameters: [{ name: id, in: path, value: $steps.one.outputs.id }] }\n`,
          '  outputs: { id: $steps.one.outputs.id }\n',
        ),
      ),
      ok,
    )
    expect(sent).toEqual(['GET /v1/orders', 'GET /v1/orders/a'])
    expect(result.workflows[0]).toMatchObject({ id: 'main', status: 'passed', outputs: { id: 'a' }, reason: null })
    expect(shown(result.workflows[0]!.steps)).toEqual(['one passed', 'two passed'])
    expect(result.coverage).toEqual([
      { source: 'shop', operations: { called: 2, total: 3 }, answers: { seen: 2, total: 9 }, missed: ['POST /orders'] },
    ])
  })

  test('a failure ends the workflow', async () => {
    const { result } = await run(document(flow(list('one') + list('two'))), () => answer(404, {}))
    expect(result.workflows[0]).toMatchObject({ status: 'failed', reason: 'The step "one" failed' })
    expect(shown(result.workflows[0]!.steps)).toEqual(['one failed', 'two skipped'])
    expect(result.workflows[0]!.steps[0]!.reason).toBe('The server answered 404')
  })

  test('steps wait for others, wherever they are written', async () => {
    const { sent } = await run(
      document(
        flow(
          `    - { stepId: late, operationId: addOrder, dependsOn: [early] }\n${list('early')}    - { stepId: last, operationId: listOrders, dependsOn: [late] }\n`,
        ),
      ),
      ok,
    )
    expect(sent).toEqual(['GET /v1/orders', 'POST /v1/orders', 'GET /v1/orders'])
  })

  test('a value that is missing fails the step before anything is sent', async () => {
    const { result, sent } = await run(
      document(
        flow(
          `${list('one')}    - { stepId: two, operationId: getOrder, parameters: [{ name: id, in: path, value: $steps.one.outputs.id }] }\n`,
        ),
      ),
      ok,
    )
    expect(sent).toEqual(['GET /v1/orders'])
    expect(result.workflows[0]!.steps[1]).toMatchObject({
      status: 'failed',
      reason: 'Nothing is at `$steps.one.outputs.id`',
      target: 'GET /orders/{id}',
    })
  })

  test('a path parameter never leads to another path', async () => {
    for (const value of ['..', "''", '.']) {
      const { result, sent } = await run(
        document(
          flow(`    - { stepId: a, operationId: getOrder, parameters: [{ name: id, in: path, value: ${value} }] }\n`),
        ),
        ok,
      )
      expect(sent).toEqual([])
      expect(result.workflows[0]!.steps[0]!.reason).toContain('would lead to another path')
    }
    const { sent } = await run(
      document(
        flow(`    - { stepId: a, operationId: getOrder, parameters: [{ name: id, in: path, value: ../x?y }] }\n`),
      ),
      ok,
    )
    expect(sent).toEqual(['GET /v1/orders/..%2Fx%3Fy'])
  })
})

describe('actions', () => {
  const retry = (rest: string): string => `onFailure: [{ name: again, type: retry, ${rest} }]`

  test('a retry waits and stops at its limit', async () => {
    const steps = list('one', retry('retryAfter: 2, retryLimit: 3'))
    const busy = await run(document(flow(steps)), () => answer(503, {}))
    expect([busy.sent.length, busy.waits]).toEqual([4, [2000, 2000, 2000]])
    expect(busy.result.workflows[0]!.steps[0]).toMatchObject({ status: 'failed', attempts: 4 })
    const later = await run(document(flow(steps)), (_, count) => answer(count < 3 ? 503 : 200, {}))
    expect(later.result.workflows[0]).toMatchObject({ status: 'passed' })
    expect(later.result.workflows[0]!.steps).toHaveLength(1)
  })

  test('without a limit there is one retry, and Retry-After goes before retryAfter', async () => {
    const { sent, waits } = await run(document(flow(list('one', retry('retryAfter: 9')))), () =>
      answer(503, {}, [['Retry-After', '4']]),
    )
    expect([sent.length, waits]).toEqual([2, [4000]])
    const dated = await run(document(flow(list('one', retry('retryAfter: 9')))), () =>
      answer(503, {}, [
        ['Date', 'Sat, 31 Jan 2026 12:00:00 GMT'],
        ['Retry-After', 'Sat, 31 Jan 2026 12:00:07 GMT'],
      ]),
    )
    expect(dated.waits).toEqual([7000])
  })

  test('a wait beyond the time of the run is not begun', async () => {
    const { waits, result } = await run(document(flow(list('one', retry('retryAfter: 100')))), () => answer(503, {}))
    expect(waits).toEqual([])
    expect(result.workflows[0]!.steps[0]!.reason).toContain(
      'waiting 100 s to try again would exceed the time of the run',
    )
  })

  test('later actions follow when retries are used up, and criteria choose among them', async () => {
    const steps = `${list('one', `onFailure: [{ name: r, type: retry, retryLimit: 1 }, { name: no, type: end, criteria: [{ condition: $statusCode == 404 }] }, { name: g, type: goto, stepId: three }]`)}${list('two')}    - { stepId: three, operationId: addOrder }\n`
    const { result, sent } = await run(document(flow(steps)), ({ method }) => answer(method === 'POST' ? 201 : 500, {}))
    expect(sent).toEqual(['GET /v1/orders', 'GET /v1/orders', 'POST /v1/orders'])
    expect(result.workflows[0]!.status).toBe('passed')
    expect(shown(result.workflows[0]!.steps)).toEqual(['one failed', 'three passed', 'two skipped'])
    expect(result.workflows[0]!.steps[0]!.action).toBe('goto three')
  })

  test('a retry runs a step or a workflow before it tries again', async () => {
    const login = `- workflowId: login\n  steps:\n    - { stepId: in, operationId: addOrder }\n`
    const withWorkflow = await run(
      document(`${flow(list('one', retry('retryLimit: 1, workflowId: login')))}${login}`),
      ({ method }, count) => answer(method === 'GET' && count === 1 ? 401 : 200, {}),
    )
    expect(withWorkflow.sent).toEqual(['GET /v1/orders', 'POST /v1/orders', 'GET /v1/orders'])
    expect(withWorkflow.result.workflows.map(({ id, status }) => [id, status])).toEqual([['main', 'passed']])
    const withStep = await run(
      document(flow(`    - { stepId: in, operationId: addOrder }\n${list('one', retry('retryLimit: 1, stepId: in'))}`)),
      ({ method }, count) => answer(method === 'GET' && count === 2 ? 401 : 200, {}),
    )
    expect(shown(withStep.result.workflows[0]!.steps)).toEqual(['in passed', 'in passed', 'one passed'])
  })

  test('end on success ends with the outputs that there are; actions of the workflow apply to all steps', async () => {
    const { result } = await run(
      document(
        flow(
          list('one') + list('two'),
          '  successActions: [{ name: e, type: end }]\n  outputs: { late: $steps.two.outputs.x }\n',
        ),
      ),
      ok,
    )
    expect(result.workflows[0]).toMatchObject({ status: 'passed', outputs: {} })
    expect(shown(result.workflows[0]!.steps)).toEqual(['one passed', 'two skipped'])
    const own = await run(
      document(
        flow(
          list('one', 'onSuccess: [{ name: e, type: end, criteria: [{ condition: $statusCode == 500 }] }]') +
            list('two'),
          '  successActions: [{ name: e, type: end }]\n',
        ),
      ),
      ok,
    )
    expect(shown(own.result.workflows[0]!.steps)).toEqual(['one passed', 'two passed'])
  })

  test('goto another workflow goes one way, with parameters', async () => {
    const other = `- workflowId: other\n  inputs: { type: object, required: [n] }\n  steps:\n    - { stepId: x, operationId: getOrder, parameters: [{ name: id, in: path, value: $inputs.n }] }\n  outputs: { n: $inputs.n }\n`
    const { result, sent } = await run(
      document(
        `${flow(list('one', "onSuccess: [{ name: g, type: goto, workflowId: other, parameters: [{ name: n, value: '$response.body#/id' }] }]") + list('two'))}${other}`,
      ),
      ok,
    )
    expect(sent).toEqual(['GET /v1/orders', 'GET /v1/orders/a'])
    expect(result.workflows).toHaveLength(1)
    expect(result.workflows[0]).toMatchObject({ id: 'main', status: 'passed', outputs: { n: 'a' } })
  })

  test('a loop without an end is ended', async () => {
    const { result, sent } = await run(
      document(flow(list('one', 'onSuccess: [{ name: g, type: goto, stepId: one }]'))),
      ok,
    )
    expect(sent).toHaveLength(100)
    expect(result.workflows[0]!.reason).toBe('The run visited more than 100 steps; a loop of goto may have no end')
    const timed = await run(document(flow(list('one', 'onSuccess: [{ name: g, type: goto, stepId: one }]'))), ok, {
      limits: { deadlineMs: 5 },
    })
    expect(timed.result.workflows[0]!.reason).toBe('The run took longer than 0.005 s')
  })
})

describe('several workflows', () => {
  test('those that a workflow depends on run before it, once', async () => {
    const { result, sent } = await run(
      document(
        `- { workflowId: b, dependsOn: [a], steps: [{ stepId: s, operationId: addOrder }] }\n- { workflowId: c, dependsOn: [a], steps: [{ stepId: s, operationId: addOrder, parameters: [{ name: q, in: query, value: $workflows.a.outputs.id }] }] }\n- { workflowId: a, steps: [{ stepId: s, operationId: listOrders, outputs: { id: '$response.body#/id' } }], outputs: { id: $steps.s.outputs.id } }\n`,
      ),
      ok,
    )
    expect(sent).toEqual(['GET /v1/orders', 'POST /v1/orders', 'POST /v1/orders?q=a'])
    expect(result.workflows.map(({ id, status }) => `${id} ${status}`)).toEqual(['a passed', 'b passed', 'c passed'])
  })

  test('what depends on a failure is skipped', async () => {
    const { result } = await run(
      document(
        `- { workflowId: b, dependsOn: [a], steps: [{ stepId: s, operationId: addOrder }] }\n- { workflowId: a, steps: [{ stepId: s, operationId: listOrders }] }\n`,
      ),
      () => answer(500, {}),
    )
    expect(result.workflows.map(({ id, status }) => `${id} ${status}`)).toEqual(['a failed', 'b skipped'])
  })

  test('a step calls a workflow with parameters as inputs, and takes its outputs', async () => {
    const child = `- workflowId: child\n  inputs: { type: object, required: [id], properties: { id: { type: string }, page: { type: integer, default: 7 } } }\n  steps:\n    - { stepId: get, operationId: getOrder, parameters: [{ name: id, in: path, value: $inputs.id }, { name: page, in: query, value: $inputs.page }], outputs: { total: '$response.body#/total' } }\n  outputs: { total: $steps.get.outputs.total }\n`
    const { result, sent } = await run(
      document(
        `${flow(`    - { stepId: c, workflowId: child, parameters: [{ name: id, value: b }], outputs: { sum: $outputs.total, same: $workflows.child.outputs.total } }\n`, '  outputs: { sum: $steps.c.outputs.sum, same: $steps.c.outputs.same }\n')}${child}`,
      ),
      () => answer(200, { total: 3 }),
    )
    expect(sent).toEqual(['GET /v1/orders/b?page=7'])
    expect(result.workflows).toHaveLength(1)
    expect(result.workflows[0]).toMatchObject({ status: 'passed', outputs: { sum: 3, same: 3 } })
    expect(result.workflows[0]!.steps[0]!.workflow).toMatchObject({
      id: 'child',
      status: 'passed',
      outputs: { total: 3 },
    })
    const wrong = await run(
      document(`${flow(`    - { stepId: c, workflowId: child, parameters: [{ name: id, value: 1 }] }\n`)}${child}`),
      ok,
    )
    expect(wrong.sent).toEqual([])
    expect(wrong.result.workflows[0]!.steps[0]!.workflow!.reason).toBe('The input "id" must be string')
  })

  test('workflows that call themselves end', async () => {
    const { result } = await run(document(flow('    - { stepId: c, workflowId: main }\n')), ok)
    expect(result.workflows[0]!.status).toBe('failed')
  })

  test('workflows of another document run with its own sources', async () => {
    const other = document(
      `- { workflowId: far, steps: [{ stepId: s, operationId: addOrder }], outputs: { x: $inputs.x } }\n`,
    )
    const { result, sent } = await run(
      document(
        flow(
          `    - { stepId: c, workflowId: $sourceDescriptions.other.far, parameters: [{ name: x, value: 1 }], outputs: { x: $outputs.x } }\n`,
        ),
        {
          other: { kind: 'arazzo', document: { ...other, name: 'other.yaml' } },
        },
      ),
      ok,
    )
    expect(sent).toEqual(['POST /v1/orders'])
    expect(result.workflows[0]!.steps[0]).toMatchObject({ status: 'passed', outputs: { x: 1 } })
  })
})

test('contents of answers are kept for reports as long as there is room', async () => {
  const large = { status: 200, headers: [['content-type', 'text/plain']] as const, body: new Uint8Array(30_000_000) }
  const { result } = await run(document(flow(list('a') + list('b') + list('c'))), () => large)
  expect(result.calls.map(({ isWhole, received }) => [isWhole, received!.body.byteLength])).toEqual([
    [true, 30_000_000],
    [true, 30_000_000],
    [false, 0],
  ])
})

describe('what cannot be done', () => {
  test('messages are named and skipped, and the workflow does not pass', async () => {
    const { result, sent } = await run(
      document(
        flow(`${list('one')}    - { stepId: m, operationId: $sourceDescriptions.events.place, action: send }\n`),
        {},
      ),
      ok,
    )
    expect(sent).toEqual([])
    expect(result.workflows[0]!.status).toBe('failed')
    const async = await run(document(flow(`    - { stepId: m, operationId: x, action: send }\n`)), ok)
    expect(async.result.workflows[0]!.steps[0]).toMatchObject({
      status: 'skipped',
      reason: 'It sends or receives messages, which svc does not',
    })
    expect(async.result.workflows[0]).toMatchObject({ status: 'failed', reason: 'The step "m" was skipped' })
  })

  test('a missing answer has a status of its own, and is retried like a wrong one', async () => {
    const { result } = await run(document(flow(list('one'))), () => null)
    expect(result.workflows[0]!.steps[0]).toMatchObject({ status: 'failed', unanswered: true, answer: null })
    const again = await run(
      document(flow(list('one', 'onFailure: [{ name: r, type: retry, retryLimit: 2 }]'))),
      (_, count) => (count < 3 ? null : ok()),
    )
    expect(again.result.workflows[0]!.status).toBe('passed')
    expect(again.result.calls.map(({ received }) => received?.status ?? null)).toEqual([null, null, 200])
  })

  test('an unread source, a missing operation, an invalid server', async () => {
    const reason = async (step: string, asked = {}): Promise<string | null> => {
      const missing = { gone: { kind: 'missing', reason: 'gone.yaml does not exist' } } as const
      const { shop } = Object.fromEntries(document(list('x')).sources) as never
      const told = await run(document(flow(`    - { stepId: s, ${step} }\n`), { shop, ...missing }), ok, asked)
      return told.result.workflows[0]!.steps[0]!.reason
    }
    expect(await reason('operationId: $sourceDescriptions.gone.x')).toBe(
      'The source "gone" was not read: gone.yaml does not exist',
    )
    expect(await reason('operationId: nothing')).toBe(
      'No source has the operation "nothing"; the source "gone" was not read: gone.yaml does not exist',
    )
    expect(await reason('operationPath: "{$sourceDescriptions.shop.url}#/paths/~1orders/put"')).toStartWith(
      'There is no operation at /paths/~1orders/put of the source "shop"',
    )
    expect(await reason('workflowId: nothing')).toBe('There is no workflow "nothing" in flow.yaml')
    expect(await reason('operationId: listOrders', { servers: { shop: 'ftp://x' } })).toContain('is no address of HTTP')
  })
})
