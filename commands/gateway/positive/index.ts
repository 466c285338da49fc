import { gatewayPositiveApi } from '../../../src/api/gateway-positive.ts'
import { SvcError } from '../../../src/errors.ts'
import { positiveModes } from '../../../src/gateway-policy/door.ts'
import { command, group } from '../../../cli/declare.ts'
import { derive } from '../../../cli/derive.ts'
import { checksOf, narrowingText, positiveText } from '../../../cli/gateway/positive.ts'
import {
  controlsOf,
  environmentArgument,
  reasonOption,
  securityCall,
  writeOptions,
  writtenText,
} from '../../../cli/gateway/command-parts.ts'

export default group({
  summary: 'Validate requests against a published document',
  commands: {
    show: derive(gatewayPositiveApi.positive, {
      examples: ['svc gateway positive show production'],
      arguments: [environmentArgument],
      text: positiveText,
    }),
    off: derive(gatewayPositiveApi.setPositive, {
      summary: 'Stop validating requests; "set --mode" starts again with the same document',
      examples: ['svc gateway positive off production --reason "Until the document is complete"'],
      arguments: [environmentArgument],
      options: { reason: reasonOption, ...writeOptions },
      sends: { mode: 'off' },
      text: writtenText,
    }),
    update: command({
      summary: 'Validate requests against a published document, or change what the checks do',
      description:
        'What is not given keeps its value. A new binding logs; --mode block refuses. Checks: unknownOperation, method, parameters, undeclaredQuery, contentType, body, security.',
      examples: [
        'svc gateway positive update production --project shop',
        'svc gateway positive update production --mode block --check undeclaredQuery=off --dry-run',
      ],
      arguments: [environmentArgument],
      options: {
        project: {
          type: 'string',
          placeholder: 'PROJECT',
          summary: 'project whose API description defines the allowed requests',
        },
        version: { type: 'string', placeholder: 'VERSION', summary: 'a published label, "latest" or "production"' },
        mode: { type: 'string', placeholder: 'MODE', choices: positiveModes, summary: 'strictest mode of a check' },
        check: {
          type: 'string',
          multiple: true,
          placeholder: 'CHECK=MODE',
          summary: 'mode of a check (repeatable)',
        },
        'strip-prefix': {
          type: 'string',
          placeholder: 'PATH',
          summary: 'prefix before the paths of the document, or "none"',
        },
        reason: reasonOption,
        ...writeOptions,
      },
      dataSchema: gatewayPositiveApi.setPositive.response,
      async run({ args, options, connection }) {
        const { project, version, mode, check, reason } = options
        const prefix = options['strip-prefix']
        const given = {
          ...(project === undefined ? {} : { projectId: project }),
          ...(version === undefined ? {} : { version }),
          ...(mode === undefined ? {} : { mode }),
          ...(check.length === 0 ? {} : { checks: checksOf(check) }),
          ...(prefix === undefined ? {} : { stripPrefix: prefix === 'none' ? null : prefix }),
        }
        if (Object.keys(given).length === 0)
          throw new SvcError('usage', {
            reason: 'Give at least one of --project, --version, --mode, --check and --strip-prefix',
          })
        const { call, query } = await securityCall(connection)
        const body = { ...given, ...(reason === undefined ? {} : { reason }), ...controlsOf(options) }
        const params = { environment_id: args.environment }
        const written = await call(gatewayPositiveApi.setPositive, { params, query, body })
        const narrowing = narrowingText(written.narrowing)
        const text = written.dryRun
          ? narrowing + writtenText(written)
          : writtenText(written) + narrowing + positiveText(written)
        return { data: written, text }
      },
    }),
  },
})
