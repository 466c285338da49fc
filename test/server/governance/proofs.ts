/** Sentences about the governance of change, in our words, and the tests that prove them. */
import type { Proof } from '../../proofs.ts'

const contracts = 'server/consumers/contracts.test.ts'
const impact = 'server/consumers/impact.test.ts'
const reports = 'server/change-reports/change-reports.test.ts'
const compat = 'server/compatibility/compatibility.test.ts'
const tool = 'server/compatibility/second-tool.test.ts'
const plans = 'server/migration-plans/migration-plans.test.ts'
const gateOutput = 'src/compat/gate-output.test.ts'
const pact = 'src/contracts/pact.test.ts'
const fields = 'src/contracts/impact.test.ts'
const answers = 'src/contracts/impact-answers.test.ts'
const requests = 'src/contracts/impact-requests.test.ts'
const deletions = 'src/contracts/mutation.test.ts'
const template = 'src/change-report/template.test.ts'
const report = 'src/change-report/report.test.ts'
const feed = 'src/change-report/feed.test.ts'
const propose = 'src/migration/propose.test.ts'
const diff = 'server/diff/classified.test.ts'
const publishing = 'server/publishing/meanwhile.test.ts'
const matrix = 'server/authorization.test.ts'
const commands = 'golden/consumer/cmd'

export const proofs: readonly Proof[] = [
  // Consumers and their contracts
  {
    of: '2.5',
    says: 'a consumer has a handle made from its name, for good; name, description, owner, contact, metadata',
    by: [[contracts, 'a consumer is registered, found by handle and id, changed, and keeps its handle']],
  },
  {
    of: '2.5',
    says: 'every declaration and import writes a new revision and overwrites none',
    by: [
      [contracts, 'writers at once: every revision stands, in order'],
      [contracts, 'a Pact registers its consumer'],
    ],
  },
  {
    of: '2.5',
    says: 'who never declared has contract null in the list, which has the newest first',
    by: [[contracts, 'the list has the newest first, each with its contract in short or null']],
  },
  {
    of: '2.5',
    says: 'a selection names operations and data paths; the service makes pointers of them, and takes none',
    by: [[contracts, 'a selection is resolved to pointers; what is missing is listed with its reason']],
  },
  {
    of: '2.5',
    says: 'Pact: method and path onto templates, keys of bodies onto fields at the status, query onto parameters',
    by: [
      [contracts, 'its keys, query and status are resolved at the newest version'],
      [pact, 'concrete segments win, servers are stripped, types decide between templates of one shape'],
      [pact, 'a parameter of the wrong type is a warning, not a loss'],
    ],
  },
  {
    of: '2.5',
    says: 'Pact 1 to 4 in all shapes; messages and plugins are distinguished',
    by: [
      [pact, 'a form of several parts, in base64'],
      [pact, 'messages and unknown entries are distinguished from what fails'],
      [pact, 'versions are found wherever tools put them'],
    ],
  },
  {
    of: '2.5',
    says: 'an import of which everything fails stores a visibly empty surface',
    by: [[contracts, 'a Pact that fits nothing stores an empty surface']],
  },
  {
    of: '2.5',
    says: 'the surface is bounded, says where it was cut, and what was cut can still be declared',
    by: [
      [contracts, 'the surface names what may be declared'],
      [pact, 'the surface is bounded, ends on recursion, and says when it was cut'],
    ],
  },
  {
    of: '2.5',
    says: 'retiring keeps the revisions and frees the handle, also during a write',
    by: [
      [contracts, 'a retired consumer frees its handle, keeps its revisions, and takes no more'],
      [contracts, 'retired while its contract is written'],
    ],
  },
  {
    of: '4.5',
    says: 'who may: Editors declare, only Owner and Admin retire',
    by: [
      [contracts, 'an Editor may declare and not retire; a Viewer may look'],
      [matrix, 'test('],
    ],
  },
  {
    of: 'decisions 11',
    says: 'a used field is never missed and an unused one affects no consumer, with any set of consumers',
    by: [
      [fields, 'impact, field by field'],
      [answers, 'a branch of anyOf within anyOf loses a field'],
      [requests, 'a request field that was optional is required'],
      [deletions, 'deletions from'],
    ],
  },
  {
    of: 'decisions 11',
    says: 'delete an operation, a status, a field, a parameter: that reason, those consumers, in every answer',
    by: [
      [impact, 'mutation: ${mutation}'],
      [deletions, 'What is said of a consumer does not depend on who else there is'],
    ],
  },
  {
    of: 'decisions 11',
    says: 'can-i-deploy says yes, no, or unknown with the missing fact; the command ends accordingly',
    by: [
      [impact, 'can-i-deploy?version='],
      [commands, 'svc can-i-deploy'],
    ],
  },
  // Compatibility and evidence
  {
    of: '2.12',
    says: 'the check: verdict, findings, hits by rule, fingerprint, issue address',
    by: [
      [compat, 'a safe pair and a breaking one'],
      [compat, 'where a break is written up is a web address'],
    ],
  },
  {
    of: '2.12',
    says: 'rules and policy of the request',
    by: [[compat, 'rules and policy of the request change the verdict, and unknown ones are refused']],
  },
  {
    of: '2.12',
    says: 'the gate of the tenant blocks a pair that is not fully safe',
    by: [[compat, 'the gate of the tenant blocks what is not proven safe']],
  },
  {
    of: '2.12',
    says: 'deprecations are warned of and block',
    by: [[compat, 'deprecated and retired revisions are warned of, and block']],
  },
  {
    of: '2.12',
    says: 'against everything that is published',
    by: [[compat, 'against=all-published asks for every published revision']],
  },
  {
    of: '4.12',
    says: 'evidence stays on the head, with both verdicts and where they differ; a tool that fails is no opinion',
    by: [
      [compat, 'evidence records both verdicts and where they differ, and stays on the head'],
      [tool, 'both verdicts are recorded, and where they differ'],
      [tool, 'of Swagger 2.0 it is given OpenAPI 3.1'],
      [tool, 'a tool that cannot answer has failed, and is no opinion'],
    ],
  },
  {
    of: '4.12',
    says: 'JSON, SARIF and JUnit by format or Accept, valid against their schemas',
    by: [
      [compat, 'SARIF and JUnit by format or by Accept'],
      [gateOutput, 'SARIF fits its schema'],
      [gateOutput, 'JUnit fits its schema'],
    ],
  },
  {
    of: '4.12',
    says: 'the classified diff: stored or inline head, 413 above 10 MB of UTF-8, markdown by Accept',
    by: [
      [diff, 'markdown where Accept asks for it; an inline head'],
      [diff, 'the limit of an inline head counts bytes of UTF-8, and is itself within'],
    ],
  },
  {
    of: '4.12',
    says: 'consumers in the diff need their own permission and are those of the base',
    by: [
      [impact, 'a key for comparisons alone compares, and is not told of consumers'],
      [impact, 'markdown has a section on consumers where they are asked for'],
      [impact, 'an inline head is asked about like a stored one'],
    ],
  },
  // Change reports
  {
    of: '2.10',
    says: 'written by publishing, in its transaction',
    by: [
      [reports, 'publishing writes the report with it'],
      [reports, 'a publication that is undone leaves no report'],
      [publishing, 'killed between any two of its writes, a publication leaves nothing'],
    ],
  },
  {
    of: '2.10',
    says: 'edits are whole snapshots over what was rendered; null takes one away, clearEdits all of them',
    by: [[reports, 'edits stand over what was rendered, each whole; null takes one away, clearEdits all']],
  },
  {
    of: '4.10',
    says: 'a preview keeps nothing; the baseline is chosen, the first, or named, and one of another project refused',
    by: [[reports, 'a preview shows what publishing would write, and keeps nothing']],
  },
  {
    of: '4.10',
    says: 'people alone, and of them the creator or an administrator',
    by: [[reports, 'only the creator or an administrator, and only as a person']],
  },
  {
    of: '4.10',
    says: 'the template that is named, of the project, of the tenant, of the system 1.0.0',
    by: [[reports, 'templates: the project before the tenant before the system']],
  },
  {
    of: 'decisions 7',
    says: 'templates have no logic, unknown fields are reported with their place, and every template is bounded',
    by: [
      [template, 'what cannot be used is reported with its line and column'],
      [template, 'ten thousand changes'],
      [template, 'no markup of theirs'],
    ],
  },
  {
    of: 'decisions 7',
    says: 'every state in which there is little to say has its words',
    by: [
      [report, 'a first publication'],
      [report, 'nothing changed'],
      [report, 'only words changed'],
      [report, 'the section on consumers: nobody declared anything'],
    ],
  },
  {
    of: 'decisions 7',
    says: 'a valid Atom feed of publications, to readers who may see them',
    by: [
      [feed, 'the feed fits the grammar of Atom and is read as it was meant'],
      [reports, 'the feed lists publications to readers who may see them'],
    ],
  },
  // Migration plans
  {
    of: '2.15',
    says: 'rules by property of a class between two versions: set, read, counted, refused by name',
    by: [
      [plans, 'rules are set, read, counted, replaced and taken away'],
      [plans, 'what cannot be is refused by name'],
    ],
  },
  {
    of: 'decisions 7',
    says: 'rules are proposed from a diff, and a person accepts them',
    by: [
      [plans, 'proposals come from what changed, and are accepted by setting them'],
      [propose, 'what is renamed, split, merged, changed and gone'],
      [propose, 'schemas tell what names do not'],
    ],
  },
]
