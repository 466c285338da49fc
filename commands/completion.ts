import { command } from '../cli/declare.ts'
import { completionTree } from '../cli/completion/model.ts'
import { powershellScript } from '../cli/completion/powershell.ts'
import { bashScript, fishScript, zshScript } from '../cli/completion/scripts.ts'

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript }

export default command({
  summary: 'Print the completion script of a shell',
  description:
    'bash: source <(svc completion bash) in ~/.bashrc. zsh: source <(svc completion zsh) in ~/.zshrc after compinit. ' +
    'fish: svc completion fish > ~/.config/fish/completions/svc.fish. ' +
    'PowerShell: svc completion powershell | Out-String | Invoke-Expression in $PROFILE.',
  examples: ['source <(svc completion bash)', 'svc completion fish | source'],
  arguments: [{ name: 'shell', required: true, summary: 'the shell', choices: Object.keys(scripts) }],
  options: {},
  run: async ({ args, registry }) => {
    const shell = args.shell as keyof typeof scripts
    const script = scripts[shell](await completionTree(registry))
    return { data: { shell, script }, text: script }
  },
})
