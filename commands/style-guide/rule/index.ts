import { StyleGuideRule } from '../../../src/api/style-guide-shapes.ts'
import { styleGuidesApi } from '../../../src/api/style-guides.ts'
import { SvcError } from '../../../src/errors.ts'
import { severities } from '../../../src/lint/finding.ts'
import { command, group } from '../../../cli/declare.ts'
import { guideAddress, guideArgument, renderRules } from '../../../cli/style-guide/shared.ts'

export default group({
  summary: 'List and change the rules of a style guide',
  commands: {
    list: command({
      summary: 'List the rules of a style guide',
      examples: ['svc style-guide rule list svc:recommended', 'svc style-guide rule list Strict --off'],
      arguments: [guideArgument],
      options: {
        on: { type: 'boolean', summary: 'only rules that are on' },
        off: { type: 'boolean', summary: 'only rules that are off' },
      },
      dataSchema: { type: 'array', items: StyleGuideRule },
      async run({ args, options, connection }) {
        const { call, params } = await guideAddress(connection, args.guide)
        const { items } = await call(styleGuidesApi.rules, { params })
        const shown = options.on === options.off ? items : items.filter((it) => it.enabled === options.on)
        return { data: shown, summary: { total: shown.length }, text: () => renderRules(shown) }
      },
    }),
    update: command({
      summary: 'Turn a rule of a style guide on or off, or change its severity',
      examples: [
        'svc style-guide rule update Strict operation-tags --off',
        'svc style-guide rule update Strict operation-tags --on --severity error',
      ],
      arguments: [guideArgument, { name: 'rule', summary: 'id of a rule', required: true }],
      options: {
        on: { type: 'boolean', summary: 'the rule applies' },
        off: { type: 'boolean', summary: 'the rule does not apply' },
        severity: {
          type: 'string',
          placeholder: 'SEVERITY',
          choices: [...severities, 'default'],
          summary: 'severity of the rule; default is that of the rule itself',
        },
      },
      dataSchema: StyleGuideRule,
      async run({ args, options, connection }) {
        const { on, off, severity } = options
        if (on && off) throw new SvcError('usage', { reason: '--on and --off exclude each other' })
        if (!on && !off && severity === undefined)
          throw new SvcError('usage', { reason: 'Say what is to change: --on, --off or --severity' })
        const { call, params } = await guideAddress(connection, args.guide)
        const rule = await call(styleGuidesApi.setRule, {
          params: { ...params, rule_id: args.rule },
          body: {
            ...(on || off ? { enabled: on } : {}),
            ...(severity === undefined ? {} : { severity: severity === 'default' ? null : severity }),
          },
        })
        return { data: rule, text: () => renderRules([rule]) }
      },
    }),
  },
})
