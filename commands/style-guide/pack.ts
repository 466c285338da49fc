import { styleGuidesApi } from '../../src/api/style-guides.ts'
import { PolicyPack } from '../../src/api/style-guide-shapes.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../../cli/declare.ts'
import { guideAddress, guideArgument, policyFacts, renderRules } from '../../cli/style-guide/shared.ts'
import { findInPages } from '../../cli/paging.ts'
import { renderFacts, shortTime } from '../../cli/table.ts'

export default command({
  summary: 'Save a style guide as a policy pack, or show a saved pack',
  description: 'A pack holds rules, custom rules and policy, and never changes.',
  examples: ['svc style-guide pack Strict', 'svc style-guide pack Strict --show 3'],
  arguments: [guideArgument],
  options: { show: { type: 'integer', min: 1, placeholder: 'N', summary: 'number of a saved pack to show' } },
  dataSchema: PolicyPack,
  async run({ args, options, connection }) {
    const { call, params } = await guideAddress(connection, args.guide)
    let id: string | undefined
    if (options.show !== undefined) {
      const found = await findInPages(
        (page) => call(styleGuidesApi.policyVersions, { params, query: page }),
        (it) => it.version === options.show,
      )
      id = found?.id
      if (id === undefined)
        throw new SvcError('policy-version-not-found', { policy_version: String(options.show), guide: args.guide })
    }
    const pack =
      id === undefined
        ? await call(styleGuidesApi.createPolicyVersion, { params })
        : await call(styleGuidesApi.policyVersion, { params: { ...params, policy_version_id: id } })
    return {
      data: pack,
      text: () =>
        renderFacts([
          ['Guide', pack.name],
          ['Pack', String(pack.version)],
          ['Made', shortTime(pack.createdAt)],
          ['Digest', pack.digest],
          ['Rules on', String(pack.rulesOn)],
        ]) +
        (id === undefined
          ? ''
          : `\n${policyFacts(pack.policy)}\n${renderRules(pack.rules.filter((it) => it.enabled))}`),
    }
  },
})
