import { command } from '../../cli/declare.ts'
import { readBase } from '../../cli/connection/http.ts'
import { engineNames } from '../../src/gateway/engines/index.ts'
import { SvcError } from '../../src/errors.ts'

export default command({
  summary: 'Run the agent of a gateway: fetch and use releases, send the events of the engine',
  description:
    'Runs beside the gateway. It waits for releases of the policy, verifies their signature, asks the engine whether it can read them, replaces the link DIR/current, reloads the engine, and asks the gateway itself whether it uses the release; if anything fails, it goes back to the last good release and reports why. While the service cannot be reached, traffic continues under the last good release. The engine includes DIR/engine.conf. Log records are sent without values: only the field, length, keyed digest and, if the environment says so, the shape of a value leave the machine. SIGTERM ends the agent, not the gateway.',
  examples: [
    'svc gateway run --url https://svc.example.com --dir /var/lib/svc-gateway --engine nginx --health http://localhost:8089/healthz',
    'svc gateway run --dir /var/lib/svc-gateway --engine caddy --health http://localhost:8089/ --access-log /var/log/caddy/access.log',
    'svc gateway run --dir /srv/waf --engine spoa --reload "systemctl reload coraza-spoa" --once',
  ],
  arguments: [],
  options: {
    url: {
      type: 'string',
      placeholder: 'URL',
      env: 'SVC_GATEWAY_URL',
      summary: 'URL of the service (default: --base-url)',
    },
    key: {
      type: 'string',
      placeholder: 'KEY',
      env: 'SVC_GATEWAY_KEY',
      summary: 'key of the gateway (safer in the variable: other users can see command lines)',
    },
    'public-key': {
      type: 'string',
      placeholder: 'BASE64',
      env: 'SVC_GATEWAY_PUBLIC_KEY',
      summary: 'key that releases are signed with; needed at the first start, then kept in DIR',
    },
    dir: { type: 'string', placeholder: 'DIR', required: true, summary: 'folder of the agent' },
    engine: {
      type: 'string',
      placeholder: 'ENGINE',
      choices: engineNames,
      required: true,
      summary: 'caddy and spoa (Coraza), nginx (ModSecurity), wasm (Envoy, Traefik), export (only files)',
    },
    validate: {
      type: 'string',
      placeholder: 'COMMAND',
      summary: 'command that checks a release in $SVC_RELEASE before its use; "" for none',
    },
    reload: {
      type: 'string',
      placeholder: 'COMMAND',
      summary: 'command that makes the engine read DIR/current again; "" for none',
    },
    health: {
      type: 'string',
      placeholder: 'URL',
      summary:
        'address of a protected site: after a reload it must answer below 500 and use the release; "" for no check',
    },
    watch: {
      type: 'duration',
      default: 30_000,
      min: 0,
      max: 600_000,
      summary: 'how long a release is watched before it is active (default 30s)',
    },
    keep: { type: 'integer', default: 5, min: 2, max: 100, summary: 'how many releases stay in DIR' },
    'audit-log': {
      type: 'string',
      placeholder: 'FILE',
      summary: 'where the engine writes its audit log (default: DIR/audit.log)',
    },
    'access-log': {
      type: 'string',
      placeholder: 'FILE',
      summary: 'access log for counts by operation: JSON of Caddy, or "combined" of nginx',
    },
    'error-log': {
      type: 'string',
      placeholder: 'FILE',
      summary: 'error log of the engine, watched after a reload',
    },
    'spool-size': {
      type: 'integer',
      placeholder: 'MIB',
      default: 64,
      min: 1,
      max: 10_000,
      summary: 'how much may wait for the service; older records are dropped and counted',
    },
    'accept-older': {
      type: 'boolean',
      summary:
        'accept once a release with a lower number than the last one, after the service was restored from a backup',
    },
    'from-start': { type: 'boolean', summary: 'also read log lines from before the first start' },
    once: { type: 'boolean', summary: 'apply the current release, send what the logs have, then exit' },
    format: {
      type: 'string',
      placeholder: 'FORMAT',
      choices: ['text', 'ndjson'],
      default: 'text',
      summary: 'lines on standard error, or a JSON object for each event on standard output',
    },
  },
  graceful: true,
  async run({ options, globals, io, signal }) {
    const [{ startAgent }, { tellTo }, { ServiceFailure }] = await Promise.all([
      import('../../cli/gateway/agent/start.ts'),
      import('../../cli/gateway/agent/tell.ts'),
      import('../../cli/gateway/agent/service.ts'),
    ])
    const url = options.url ?? globals.baseUrl
    if (url === undefined) throw new SvcError('usage', { reason: 'Give the service with --url (SVC_GATEWAY_URL)' })
    if (options.key === undefined)
      throw new SvcError('usage', { reason: 'Give the key of the gateway in SVC_GATEWAY_KEY (or with --key)' })
    let problem: string | null = null
    const base = tellTo(io, options.format === 'ndjson' && !globals.json ? 'ndjson' : 'text')
    const started = await startAgent({
      url: readBase(url),
      key: options.key.trim(),
      dir: options.dir,
      engine: options.engine,
      validate: options.validate,
      reload: options.reload,
      health: options.health,
      auditLog: options['audit-log'],
      accessLog: options['access-log'],
      errorLog: options['error-log'],
      publicKey: options['public-key'],
      acceptOlder: options['accept-older'],
      keep: options.keep,
      watchMs: options.watch,
      spoolBytes: options['spool-size'] << 20,
      fromStart: options['from-start'],
      timeoutMs: globals.timeoutMs,
      tell: (event, data, level) => {
        if (event === 'release-not-used') problem = String(data['reason'])
        base(event, data, level)
      },
    })
    const { agent, releases } = started
    try {
      const { active } = releases.state
      base('started', { dir: options.dir, engine: options.engine, active: active?.releaseId ?? 'none' })
      if (options.once) await agent.once(signal)
      else await agent.run(signal)
      base('stopped', {})
    } catch (error) {
      if (error instanceof ServiceFailure) throw new SvcError('transport-failed', { url, reason: error.message })
      throw error
    } finally {
      started.stop()
    }
    if (!options.once) return
    const { active, failed } = releases.state
    if (problem !== null) throw new SvcError('bundle-signature', { reason: problem })
    if (failed !== null)
      throw new SvcError('gateway-release-failed', {
        release: failed.releaseId,
        active: active?.releaseId ?? 'no release',
        reason: failed.error,
      })
    return {
      data: { active, failed },
      text: options.format === 'text' ? `${active?.releaseId ?? 'no release yet'}\n` : '',
    }
  },
})
