import { lintApi } from '../../src/api/lint.ts'
import { mcpRegistryApi } from '../../src/api/mcp-registry.ts'
import { McpEndpoint } from '../../src/api/mcp-server-shapes.ts'
import { mcpServersApi } from '../../src/api/mcp-servers.ts'
import { changeSeverities } from '../../src/diff/change.ts'
import { SvcError } from '../../src/errors.ts'
import { plural } from '../../src/kernel/plural.ts'
import { toolsLine } from '../../src/report/terminal.ts'
import { restoreHint } from '../../cli/bin/shared.ts'
import { command, group } from '../../cli/declare.ts'
import { derive } from '../../cli/derive.ts'
import { readFirstLine } from '../../cli/input/named-file.ts'
import { diffText } from '../../cli/mcp-server/diff-text.ts'
import {
  approvedText,
  countsText,
  findServer,
  renderServer,
  serverArgument,
  serverIdArgument,
  shortPrint,
} from '../../cli/mcp-server/shared.ts'
import { pageCounts, pageOptions } from '../../cli/paging.ts'
import { renderFacts, renderTable, shortTime } from '../../cli/table.ts'

export default group({
  summary: 'Manage a catalogue of MCP servers: import, observe, compare and approve',
  commands: {
    list: derive(mcpServersApi.list, {
      examples: ['svc mcp-server list', 'svc mcp-server list weather', 'svc mcp-server list --state drifted --json'],
      arguments: [{ name: 'q', summary: 'a part of the name, title or address' }],
      options: {
        state: { summary: 'only servers in this state' },
        approved: {
          type: 'boolean',
          default: null,
          summary: 'only servers that were approved, or with --no-approved never',
        },
        ...pageOptions,
      },
      rows: 'endpoints',
      counts: pageCounts,
      empty: 'No MCP servers. Import one: svc mcp-server import server.json\n',
      columns: {
        ID: (it) => it.id,
        NAME: (it) => it.name,
        STATE: (it) => it.state,
        APPROVED: approvedText,
        TOOLS: (it) => String(it.counts.tools),
        OBSERVED: (it) => (it.observed === null ? 'never' : shortTime(it.observed.observed_at)),
        ADDRESS: (it) => it.address ?? `(${it.transport})`,
      },
      more: true,
    }),
    history: derive(mcpServersApi.observations, {
      examples: ['svc mcp-server history com.example/weather', 'svc mcp-server history com.example/weather --changed'],
      arguments: [serverIdArgument],
      options: { changed: { summary: 'only those that found another surface' }, ...pageOptions },
      rows: 'observations',
      counts: pageCounts,
      empty: 'Never observed.\n',
      columns: {
        AT: (it) => shortTime(it.at),
        BY: (it) => it.by,
        FINGERPRINT: (it) => (it.fingerprint === null ? '-' : shortPrint(it.fingerprint.wire)),
        FOUND({ error, changed, change, counts }) {
          if (error !== null) return `${error.class}: ${error.message}`
          const severity = change?.severity ? ` (${change.severity})` : ''
          return changed ? `changed${severity}: ${countsText(counts)}` : countsText(counts)
        },
      },
      more: true,
    }),
    diff: derive(mcpServersApi.diff, {
      summary: 'Compare what an MCP server offers with what was approved or declared',
      description:
        'Schemas are compared by the values they allow; a value that one side accepts and the other refuses is shown. Sides are approved, observed, declared, or fingerprints.',
      examples: [
        'svc mcp-server diff com.example/weather',
        'svc mcp-server diff com.example/weather --from declared --fail-on breaking',
      ],
      arguments: [serverIdArgument],
      options: {
        from: { placeholder: 'SURFACE', summary: 'the earlier side (default: approved, else declared)' },
        to: { placeholder: 'SURFACE', summary: 'the later side (default: observed)' },
        'fail-on': {
          type: 'string',
          placeholder: 'SEVERITY',
          choices: changeSeverities,
          summary: 'exit 4 on a change at or above it',
          field: null,
        },
      },
      counts: ['severity', 'counts'],
      exitCode({ severity }, { options }) {
        const limit = changeSeverities.findIndex((it) => it === options['fail-on'])
        return severity !== null && changeSeverities.indexOf(severity) <= limit ? 4 : 0
      },
      text: diffText,
    }),
    show: command({
      summary: 'Show an MCP server: its state, and its declared and observed surface',
      examples: ['svc mcp-server show com.example/weather', 'svc mcp-server show https://mcp.example.com/mcp --facts'],
      arguments: [serverArgument],
      options: {
        facts: { type: 'boolean', summary: 'list each tool, resource and prompt, and where it is known from' },
      },
      dataSchema: McpEndpoint,
      async run({ args, options, connection }) {
        const { call, tenant } = await connection()
        const slug = await tenant()
        const server = await findServer(call, slug, args.server)
        if (!options.facts) return { data: server, text: renderServer(server) }
        const provenance = await call(mcpServersApi.provenance, {
          params: { tenant_slug: slug, endpoint_id: server.id },
        })
        const rows = provenance.facts.map((fact) => [
          fact.kind,
          fact.key,
          fact.origin,
          fact.difference?.changes[0]?.message ?? fact.warnings[0]?.message ?? '',
        ])
        return {
          data: { ...server, provenance },
          text: () => `${renderServer(server)}\n${renderTable(['KIND', 'NAME', 'KNOWN FROM', 'DIFFERENCE'], rows)}`,
        }
      },
    }),
    delete: command({
      summary: 'Remove an MCP server from the catalogue, with its observations and approvals',
      description:
        'You can restore it for 30 days with "svc bin restore", but not the value of the header that observations send.',
      examples: ['svc mcp-server delete com.example/weather'],
      arguments: [serverArgument],
      options: {},
      async run({ args, connection }) {
        const { call, tenant } = await connection()
        const slug = await tenant()
        const { id, name } = await findServer(call, slug, args.server)
        await call(mcpServersApi.remove, { params: { tenant_slug: slug, endpoint_id: id } })
        return { data: null, text: `Removed ${name}\n${restoreHint(name)}` }
      },
    }),
    registry: command({
      summary: 'Show or change whether the approved MCP servers are published as a registry',
      description:
        'Agent hosts that accept a private registry are given the printed address; it lists approved servers only, and answers without credentials.',
      examples: ['svc mcp-server registry', 'svc mcp-server registry --enable', 'svc mcp-server registry --disable'],
      arguments: [],
      options: {
        enable: { type: 'boolean', summary: 'publish it' },
        disable: { type: 'boolean', summary: 'stop publishing it' },
        audience: {
          type: 'string',
          placeholder: 'AUDIENCE',
          choices: ['anyone-with-link', 'public'],
          summary: 'with anyone-with-link, answers ask search engines and shared caches to keep nothing',
        },
      },
      dataSchema: mcpRegistryApi.get.response,
      async run({ options, connection }) {
        const { enable, disable, audience } = options
        if (enable && disable) throw new SvcError('usage', { reason: '--enable and --disable exclude each other' })
        const { call, tenant } = await connection()
        const params = { tenant_slug: await tenant() }
        const before = await call(mcpRegistryApi.get, { params })
        const isAsked = enable || disable || audience !== undefined
        const enabled = enable || (!disable && before.enabled)
        const body = { enabled, ...(audience === undefined ? {} : { audience }) }
        const now = isAsked ? await call(mcpRegistryApi.set, { params, body }) : before
        const text = renderFacts([
          ['published', now.enabled ? 'yes' : 'no'],
          ['audience', now.audience],
          ['address', now.url],
          ['servers', String(now.servers)],
        ])
        return { data: now, text }
      },
    }),
    update: command({
      summary: 'Change the name or labels of an MCP server, or the header that observations send',
      description:
        'The value of the header is read from standard input, kept encrypted, and sent to the origin of the address only.',
      examples: [
        'svc mcp-server update com.example/weather --label production --label weather',
        'printf "Bearer $TOKEN" | svc mcp-server update com.example/weather --header Authorization',
        'svc mcp-server update com.example/weather --no-header',
      ],
      arguments: [serverArgument],
      options: {
        name: { type: 'string', placeholder: 'NAME', summary: 'another name' },
        title: { type: 'string', placeholder: 'TEXT', summary: 'another title' },
        label: { type: 'string', placeholder: 'LABEL', multiple: true, summary: 'replaces the labels' },
        header: { type: 'string', placeholder: 'NAME', summary: 'the header; its value is read from standard input' },
        'no-header': { type: 'boolean', summary: 'stop sending the header' },
      },
      dataSchema: McpEndpoint,
      async run({ args, options, connection, io }) {
        const { name, title, label, header } = options
        if (header !== undefined && options['no-header'])
          throw new SvcError('usage', { reason: '--header and --no-header exclude each other' })
        const { call, tenant } = await connection()
        const slug = await tenant()
        const { id } = await findServer(call, slug, args.server)
        const value = header === undefined ? '' : await readFirstLine({ io })
        if (header !== undefined && value === '')
          throw new SvcError('usage', { reason: 'Missing value of the header: pipe it to standard input' })
        const changed = await call(mcpServersApi.update, {
          params: { tenant_slug: slug, endpoint_id: id },
          body: {
            ...(name === undefined ? {} : { name }),
            ...(title === undefined ? {} : { title }),
            ...(label.length === 0 ? {} : { labels: [...label] }),
            ...(header === undefined ? {} : { header: { name: header, value } }),
            ...(options['no-header'] ? { header: null } : {}),
          },
        })
        return { data: changed, text: renderServer(changed) }
      },
    }),
    lint: command({
      summary: 'Check what an MCP server offers against the style guide, and grade it',
      description:
        'Checks what was observed last, else what is declared. Exits with 4 where the gate fails: errors, without --min-grade and --fail-on.',
      examples: [
        'svc mcp-server lint com.example/weather',
        'svc mcp-server lint com.example/weather --min-grade B --json',
      ],
      arguments: [serverArgument],
      options: {
        'min-grade': {
          type: 'string',
          placeholder: 'GRADE',
          choices: ['A', 'B', 'C', 'D', 'F'],
          summary: 'exit 4 on a worse grade',
        },
        'fail-on': {
          type: 'string',
          placeholder: 'SEVERITY',
          choices: ['error', 'warning', 'info'],
          summary: 'exit 4 on a finding at or above it',
        },
      },
      envelope: 'findings',
      async run({ args, options, connection }) {
        const { call, tenant } = await connection()
        const slug = await tenant()
        const { id } = await findServer(call, slug, args.server)
        const params = { tenant_slug: slug, endpoint_id: id }
        const { grade, guide, findings, tools: cost } = await call(lintApi.mcp, { params })
        const minGrade = options['min-grade']
        const failOn = options['fail-on']
        const { gate } = await call(lintApi.mcpGate, {
          params,
          query: {
            ...(minGrade === undefined ? {} : { min_grade: minGrade }),
            ...(failOn === undefined ? {} : { fail_on: failOn }),
          },
        })
        const { error, warning, info, hint } = grade.counts
        const lines = findings.map((it) => `${it.pointer} ${it.severity} ${it.code} ${it.message}\n`)
        const tools = cost && { count: cost.count, tokens: cost.tokens, savedByDefs: cost.saved_by_defs }
        const mark = grade.grade === null ? 'Nothing to grade' : `Grade ${grade.grade}, ${grade.score} of 100`
        return {
          findings,
          summary: { grade: grade.grade, score: grade.score, counts: grade.counts, tools, guide, gate },
          text: () =>
            `${lines.join('')}${mark} by ${guide}: ${plural(error, 'error')}, ${plural(warning, 'warning')}, ${info} info, ${plural(hint, 'hint')}\n${tools === null ? '' : toolsLine({ tools })}${gate.reasons.map((it) => `${it}\n`).join('')}`,
          ...(grade.grade === null ? { exitCode: 5 as const } : gate.passed ? {} : { exitCode: 4 as const }),
        }
      },
    }),
    approve: command({
      summary: 'Approve the observed surface of an MCP server by its fingerprint',
      description:
        'The fingerprint says what was looked at, so that a server that changed since is not approved by mistake: "svc mcp-server show" prints it, and its first 12 characters are enough. Needs a person with the role Admin or Owner.',
      examples: ['svc mcp-server approve com.example/weather --fingerprint 2c26b46b68ff --note "Reviewed by security"'],
      arguments: [serverArgument],
      options: {
        fingerprint: {
          type: 'string',
          placeholder: 'FINGERPRINT',
          required: true,
          summary: 'fingerprint of the surface that you reviewed',
        },
        note: { type: 'string', placeholder: 'TEXT', summary: 'why it is approved' },
      },
      dataSchema: McpEndpoint,
      async run({ args, options, connection }) {
        const { call, tenant } = await connection()
        const slug = await tenant()
        const server = await findServer(call, slug, args.server)
        const given = options.fingerprint.replace(/^sha256:/i, '').toLowerCase()
        if (!/^[0-9a-f]{12,64}$/.test(given))
          throw new SvcError('usage', {
            reason: `--fingerprint must be at least 12 hexadecimal digits, not "${options.fingerprint}"`,
          })
        const observed = server.observed?.fingerprint ?? null
        const isMeant = observed !== null && observed.replace(/^sha256:/, '').startsWith(given)
        const approved = await call(mcpServersApi.approve, {
          params: { tenant_slug: slug, endpoint_id: server.id },
          body: { fingerprint: isMeant ? observed : `sha256:${given}`, note: options.note ?? null },
        })
        return { data: approved, text: renderServer(approved) }
      },
    }),
  },
})
