import { command } from '../cli/declare.ts'
import { completionTree } from '../cli/completion/model.ts'
import { bashScript, fishScript, zshScript } from '../cli/completion/scripts.ts'

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript }

export default command({
  summary: 'Print the completion script of a shell',
  description:
    'bash: source <(svc completion bash) in ~/.bashrc. zsh: source <(svc completion zsh) in ~/.zshrc after compinit. ' +
    'fish: svc completion fish > ~/.config/fish/completions/svc.fish.',
  examples: ['source <(svc completion bash)', 'svc completion fish | source'],
  arguments: [{ name: 'shell', required: true, summary: 'the shell', choices: ['bash', 'zsh', 'fish'] }],
  options: {},
  run: async ({ args, registry }) => {
    const shell = args.shell as keyof typeof scripts
    const script = scripts[shell](await completionTree(registry))
    return { data: { shell, script }, text: script }
  },
})
