import { command } from '../../cli/declare.ts'
import { installDrivers } from '../../cli/git/install.ts'

export default command({
  summary: 'Let git merge and compare API descriptions by what they mean',
  description:
    'Registers a merge driver and a diff driver with git, for this repository (.git/config and .git/info/attributes, which nobody else gets) or with --global for all of yours. "git merge", "git rebase", "git cherry-pick" and "git pull" then merge the descriptions of svc.yaml, or without one all files that are descriptions, by what they mean: edits of different things never conflict, and a conflict is named in the words of the API, with marks only there. "git diff", and "git log -p --ext-diff", show classified changes. Any other file is merged and shown by lines, as before. Run it again after svc was moved.',
  examples: ['svc git install', 'svc git install --global', 'svc git uninstall'],
  arguments: [],
  options: {
    global: { type: 'boolean', summary: 'for all repositories of yours, in the configuration of your account' },
  },
  run: (invocation) => installDrivers(invocation, true),
})
