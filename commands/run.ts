import { command } from '../cli/declare.ts'
import { runFile } from '../cli/workflow/run.ts'
import { runOptions } from '../cli/workflow/options.ts'

export default command({
  summary: 'Run the workflows of an Arazzo document',
  description:
    'Runs workflows of Arazzo 1.0 and 1.1 against servers: inputs, runtime expressions, success criteria, retries, goto, and workflows that depend on or call each other. Each answer is checked against its OpenAPI description. Without WORKFLOW, runs the workflows that no other one of the document calls or depends on. Requests go to the servers of --server, else to the first server that each description names; redirects are not followed. With --mock, nothing is requested. Exit codes: 4 if a criterion is not met or an answer differs from its description, 3 if a server does not answer, 6 if a document cannot be read.',
  examples: [
    'svc run orders.arazzo.yaml',
    'svc run orders.arazzo.yaml placeOrder --server shop=http://localhost:8080 --input sku=A-1',
    'svc run orders.arazzo.yaml --secret token=SHOP_TOKEN --report junit=run.xml --report har=run.har',
    'svc run orders.arazzo.yaml --mock --json',
  ],
  arguments: [
    {
      name: 'file',
      required: true,
      summary: 'an Arazzo document: a file, a URL, PROJECT@VERSION, or - for standard input',
    },
    { name: 'workflow', summary: 'the workflowId of the workflow to run' },
  ],
  options: runOptions,
  isBounded: true,
  run: runFile,
})
