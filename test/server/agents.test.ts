import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createAgents, type Agents } from '../../server/agents.ts'
import { createService, type Service } from '../../server/app.ts'
import type { Observe } from '../../server/http/observe.ts'
import { ensureLocalTenant } from '../../server/auth/local-tenant.ts'
import { onBothEngines } from '../fixtures/engines.ts'

onBothEngines('agents beside the service', (makeDb) => {
  const observed: string[] = []
  const faults: unknown[] = []
  const observe: Observe = async (facts, run) => {
    const response = await run()
    observed.push(`${facts.route()} ${response.status}`)
    return response
  }
  let service: Service
  let agents: Agents

  beforeAll(async () => {
    const db = await makeDb()
    await ensureLocalTenant(db, Date.now())
    const onFault = (fault: unknown) => faults.push(fault)
    service = createService({ db, publicUrl: () => '', egressAllow: [], observe, version: '1.2.3', onFault })
    agents = createAgents({ service, version: '1.2.3', toolNames: 'dots', secret: null, hosts: [], observe, onFault })
  })
  afterAll(async () => {
    await agents.close()
    await service.stop()
  })

  const ask = async (method: string, params: object) => {
    const request = new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: {
        host: '127.0.0.1',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const text = (await (await agents.handle(request))?.text()) ?? ''
    return JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text) as { result?: { structuredContent?: object } }
  }

  test('a call of a tool is one request in the log, not two', async () => {
    const answer = await ask('tools/call', { name: 'ping', arguments: {} })
    expect(answer.result?.structuredContent).toMatchObject({ service: 'svc', caller: 'anonymous' })
    expect(observed).toEqual(['/mcp 200'])
  })

  test('a request from outside is observed as ever', async () => {
    observed.length = 0
    expect((await service.handle(new Request('http://localhost/v1/specs/caller'))).status).toBe(200)
    expect(observed).toEqual(['/v1/specs/caller 200'])
  })

  test('other paths are not its own', () => {
    expect(agents.handle(new Request('http://127.0.0.1/mcp/x'))).toBeNull()
    expect(agents.handle(new Request('http://127.0.0.1/'))).toBeNull()
  })

  test('nothing failed that was not expected to', () => {
    expect(faults).toEqual([])
  })
})
