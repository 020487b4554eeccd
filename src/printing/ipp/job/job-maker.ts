/**
 * Everything about a job before its document: the printer is ready, has validated the job (Validate-Job) and has made
 * it (Create-Job, RFC 8011 section 4.2.4). A busy printer is awaited. If it refuses a name, the name is sent in ASCII,
 * and then not at all. A request whose effect is in doubt is never repeated.
 */
import { createHash } from 'node:crypto';
import type { Env } from '../../../domain/env.ts';
import type { OutputType } from '../../../domain/output-port.ts';
import type { CallOptions } from '../../../domain/ports/call.ts';
import type {
  PrinterJob,
  PrinterWait,
  SpooledDocument,
  WaitingOptions,
} from '../../../domain/ports/printing.ts';
import type { RefusableName } from '../../../domain/ports/printer-memory.ts';
import { isProblem, Problem } from '../../../domain/problem/problem.ts';
import type { Ticket } from '../../../domain/release.ts';
import type { Attribute, Message } from '../../../ipp/message.ts';
import { attribute, integer, string, subject } from '../../../ipp/message.ts';
import { boolean, mimeMediaType, nameWithoutLanguage } from '../../../ipp/values.ts';
import type { PageHandling } from '../../conversion/conversion-plan.ts';
import type { Acquaintance } from '../wire/acquaintance.ts';
import { isWorthPacking } from './compressed-document.ts';
import type { IppClient } from '../wire/ipp-client.ts';
import type { JobLooks } from './job-looks.ts';
import { releaseIn } from './job-marks.ts';
import type { IppJobPlan } from './job-plan.ts';
import { lessNamed, plainNamed, planJob } from './job-plan.ts';
import { isMust, isSeenOnPaper, lacking, refusedWishes, wishedOf, without } from './refused-wishes.ts';
import { shownMarks } from './job-sight.ts';
import type { JobWatch } from './job-watch.ts';
import type { PrinterAttributes } from '../printer/printer-attributes.ts';
import type { RecentLook } from '../printer/recent-look.ts';
import { rejection } from '../printer/printer-fitness.ts';
import {
  agreed,
  asRefusalOfJob,
  isAdvice,
  isNameless,
  refusalOf,
  unsupportedNames,
} from '../wire/refusal.ts';
import { busyLimit, busyPause, lookHolds, validationHolds } from '../../timings.ts';

export interface JobMaker {
  lookAhead(options: CallOptions): void;
  prepare(ticket: Ticket, document: SpooledDocument, options: WaitingOptions): Promise<IppJobPlan>;
  createJob(plan: IppJobPlan, options: WaitingOptions): Promise<PrinterJob>;
  /** The job in an answer; throws `printer-protocol` with delivery `perhaps` if it has no id. */
  jobIn(answer: Message, plan: IppJobPlan): PrinterJob;
  /** The printer refused jobs because of these names, also in ASCII: they are not sent any more. */
  leaveOut(names: readonly RefusableName[]): void;
  /** Waits while the printer clearly answers "busy"; every other error goes to the caller. */
  whileBusy<Result>(
    attempt: () => Promise<Result>,
    options: WaitingOptions,
    mayRepeat?: (refusal: Problem) => boolean,
  ): Promise<Result>;
}

export interface JobMakerDeps extends Pick<Env, 'clock' | 'log'> {
  readonly uri: string;
  readonly client: IppClient;
  readonly acquaintance: Pick<Acquaintance, 'habits' | 'learn'>;
  readonly watch: JobWatch;
  readonly looks: JobLooks;
  readonly outputType: OutputType;
  readonly handling: PageHandling;
  readonly mayPack: () => boolean;
  /** Called when the printer has made a job. */
  readonly onJob: (job: PrinterJob) => void;
  readonly describe: (options: WaitingOptions) => Promise<PrinterAttributes>;
  readonly recent: RecentLook;
}

/** A look at the printer while its document comes in. */
interface LookAhead {
  /** Monotonic milliseconds. */
  readonly at: number;
  readonly look: Promise<PrinterAttributes>;
  state: 'under-way' | 'over' | 'failed';
  /** Told only to who waits for it. */
  wait: PrinterWait;
  onWait: WaitingOptions['onWait'];
}

export const jobMaker = (deps: JobMakerDeps): JobMaker => new PrinterJobMaker(deps);

class PrinterJobMaker implements JobMaker {
  readonly #deps: JobMakerDeps;
  #ahead: LookAhead | undefined;
  #validatedLast: { readonly likeness: string; readonly at: number } | undefined;
  /** The last value from the printer. */
  #upTime: { readonly seconds: number; readonly at: number } | undefined;

  constructor(deps: JobMakerDeps) {
    this.#deps = deps;
  }

  lookAhead({ signal }: CallOptions): void {
    if (this.#deps.recent.printer() !== undefined) return;
    const onWait = (wait: PrinterWait) => {
      ahead.wait = wait;
      ahead.onWait?.(wait);
    };
    const look = this.#look({ signal, onWait });
    const at = this.#deps.clock.monotonic();
    const ahead: LookAhead = { at, look, state: 'under-way', wait: undefined, onWait: undefined };
    this.#ahead = ahead;
    look.then(
      () => (ahead.state = 'over'),
      () => (ahead.state = 'failed'),
    );
  }

  prepare(ticket: Ticket, document: SpooledDocument, call: WaitingOptions): Promise<IppJobPlan> {
    return this.whileBusy(() => this.#prepareNow(ticket, document, call).catch(throwOfJob), call);
  }

  createJob(plan: IppJobPlan, call: WaitingOptions): Promise<PrinterJob> {
    const create = () => this.#whileNamed(plan, (named) => this.#create(named, call)).catch(throwOfJob);
    return this.whileBusy(create, call);
  }

  jobIn(answer: Message, { naming, jobName }: IppJobPlan): PrinterJob {
    const created = subject(answer, 'job-attributes');
    const jobId = integer(created, 'job-id');
    // integer(1:MAX), RFC 8011 section 5.3.2.
    if (jobId === undefined || jobId < 1) {
      throw new Problem('printer-protocol', 'the printer created a job without a job-id', {
        delivery: 'perhaps',
      });
    }
    const { uri, looks, onJob } = this.#deps;
    const { uuid } = shownMarks(created);
    const { userName } = naming;
    const job = {
      jobId,
      jobName,
      jobUri: string(created, 'job-uri') ?? uri,
      marks: { userName, uuid, upTime: this.#upTime },
    };
    looks.begin(job);
    looks.note(job, answer);
    onJob(job);
    return job;
  }

  leaveOut(names: readonly RefusableName[]): void {
    if (names.length === 0) return;
    const { uri, acquaintance, log } = this.#deps;
    const refusesNames = [...new Set([...(acquaintance.habits().refusesNames ?? []), ...names])];
    acquaintance.learn({ refusesNames });
    log.info('printer refuses names', { printer: uri, attributes: names });
  }

  async whileBusy<Result>(
    attempt: () => Promise<Result>,
    { signal, onWait }: WaitingOptions,
    mayRepeat: (refusal: Problem) => boolean = () => true,
  ): Promise<Result> {
    const { clock } = this.#deps;
    const end = clock.monotonic() + busyLimit;
    let lastWait: PrinterWait;
    try {
      for (;;) {
        try {
          return await attempt();
        } catch (error) {
          const isOver = clock.monotonic() + busyPause > end;
          if (isOver || !isProblem(error, 'printer-busy') || error.delivery === 'perhaps') throw error;
          if (!mayRepeat(error)) throw error;
          const wait = waitFor(error);
          if (wait !== lastWait) onWait?.(wait);
          lastWait = wait;
        }
        await clock.sleep(busyPause, { signal });
      }
    } finally {
      if (lastWait) onWait?.(undefined);
    }
  }

  async #prepareNow(ticket: Ticket, document: SpooledDocument, call: WaitingOptions): Promise<IppJobPlan> {
    const { clock, outputType, handling, acquaintance, recent } = this.#deps;
    const printer = recent.printer() ?? (await (this.#lookedAhead(call) ?? this.#look(call)));
    const planFor = (able: PrinterAttributes) =>
      planJob(ticket, document, able, { outputType, handling, habits: acquaintance.habits() });
    const plan = planFor(printer);
    const compression = this.#packs(plan, printer) ? ({ compression: 'gzip' } as const) : {};
    if (!printer.can('Validate-Job') || this.#isValidated(plan)) return { ...plan, ...compression };
    const taken = await this.#validated(printer, planFor, call);
    this.#validatedLast = { likeness: likenessOf(taken), at: clock.monotonic() };
    return { ...taken, ...compression };
  }

  /**
   * If the printer does not support a wish, the job is planned without it: then copies are made here, or nothing is
   * printed.
   */
  async #validated(
    printer: PrinterAttributes,
    planFor: (able: PrinterAttributes) => IppJobPlan,
    call: WaitingOptions,
    tellsNoFidelity = false,
  ): Promise<IppJobPlan> {
    const plan = { ...planFor(printer), ...(tellsNoFidelity ? { tellsNoFidelity } : {}) };
    const { taken, left } = await this.#advised(plan, call);
    if (left.length === 0) return taken;
    const isBare = without(taken, left).tellsNoFidelity === true;
    const other = await this.#validated(lacking(printer, left), planFor, call, isBare);
    this.#tellLeftOut(other, left, call);
    return other;
  }

  /** A look that failed before the document was here says nothing: the printer is asked again. */
  #lookedAhead({ onWait }: WaitingOptions): Promise<PrinterAttributes> | undefined {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    if (ahead === undefined || ahead.state === 'failed') return undefined;
    const isOld = ahead.state === 'over' && this.#deps.clock.monotonic() - ahead.at >= lookHolds;
    if (isOld) return undefined;
    ahead.onWait = onWait;
    if (ahead.wait) onWait?.(ahead.wait);
    return ahead.look;
  }

  async #look(call: WaitingOptions): Promise<PrinterAttributes> {
    const { clock, recent, describe } = this.#deps;
    const at = clock.monotonic();
    const printer = await describe(call);
    this.#upTime = printer.upTime === undefined ? undefined : { seconds: printer.upTime, at: clock.now() };
    checkReady(printer);
    recent.keep(printer, at);
    return printer;
  }

  #packs({ format }: IppJobPlan, { capabilities }: PrinterAttributes): boolean {
    return (
      this.#deps.mayPack() && isWorthPacking(format) && capabilities?.compression.includes('gzip') === true
    );
  }

  /** If the printer cannot validate, the answer to Create-Job counts. */
  async #advised(
    plan: IppJobPlan,
    call: CallOptions,
  ): Promise<{ taken: IppJobPlan; left: readonly string[] }> {
    try {
      return await this.#whileNamed(plan, (named) => this.#validate(named, call));
    } catch (error) {
      const isSaidBefore = !plan.inOneStep || isProblem(error, 'printer-refused-job', 'printer-protocol');
      if (!isProblem(error) || !isAdvice(error) || !isSaidBefore) throw error;
      const { log, uri } = this.#deps;
      log.info('printer validates no jobs', { printer: uri, reasons: error.reasons });
      return { taken: plan, left: [] };
    }
  }

  /** compression is not sent here: printers made like ippeveprinter would wait for compressed octets. */
  async #validate(
    plan: IppJobPlan,
    call: CallOptions,
  ): Promise<{ taken: IppJobPlan; left: readonly string[] }> {
    const request = {
      operation: 'Validate-Job',
      userName: plan.naming.userName,
      attributes: [...jobNaming(plan), ...documentNaming(plan)],
      job: plan.job,
    } as const;
    const answer = await this.#deps.client.ask(request, call);
    const refusal = refusalOf(answer);
    if (!refusal) return { taken: plan, left: this.#ignored(answer, plan) };
    const left = refusal.reasons.length > 1 ? refusedWishes(plan, refusal) : [];
    if (left.length === 0) throw refusal;
    return { taken: plan, left };
  }

  /**
   * The documents of a batch are similar. Create-Job may still refuse a job that Validate-Job accepted a moment ago.
   */
  #isValidated(plan: IppJobPlan): boolean {
    return (
      this.#validatedLast !== undefined &&
      this.#deps.clock.monotonic() - this.#validatedLast.at < validationHolds &&
      this.#validatedLast.likeness === likenessOf(plan)
    );
  }

  /** A refusal made no job, so the job is asked for with fewer wishes, if that is allowed. */
  async #create(plan: IppJobPlan, call: WaitingOptions): Promise<PrinterJob> {
    try {
      return await this.#createNow(plan, call);
    } catch (error) {
      const left = isProblem(error) && error.delivery === 'answered' ? refusedWishes(plan, error) : [];
      if (left.length === 0 || left.some((name) => isMust(plan, name))) throw error;
      this.#tellLeftOut(plan, left, call);
      return this.#create(without(plan, left), call);
    }
  }

  async #createNow(plan: IppJobPlan, call: WaitingOptions): Promise<PrinterJob> {
    const request = {
      operation: 'Create-Job',
      userName: plan.naming.userName,
      attributes: jobNaming(plan),
      job: plan.job,
    } as const;
    const answer = agreed(await this.#deps.client.ask(request, call));
    const job = this.jobIn(answer, plan);
    const left = this.#ignored(answer, plan);
    const lost = left.filter((name) => isMust(plan, name));
    if (lost.length > 0) {
      await this.#deps.watch.cancel(job, call);
      throw notAsAsked(lost);
    }
    this.#tellLeftOut(plan, left, call);
    return job;
  }

  /** If a name causes the refusal, the job is asked for with a plainer name, or without it. */
  async #whileNamed<Result>(
    plan: IppJobPlan,
    attempt: (plan: IppJobPlan) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await attempt(plan);
    } catch (error) {
      if (!isProblem(error) || error.delivery !== 'answered') throw error;
      const less = lessNamed(plan.naming, error.reasons);
      if (less) this.leaveOut(less.left);
      const naming = less?.naming ?? (isNameless(error) ? plainNamed(plan.naming) : undefined);
      if (!naming) throw error;
      return this.#whileNamed({ ...plan, naming }, attempt);
    }
  }

  /** Only the ignored wishes of the plan; the log has all ignored attributes. */
  #ignored(answer: Message, plan: IppJobPlan): readonly string[] {
    const names = unsupportedNames(answer);
    const wished = wishedOf(plan, names);
    if (names.length > wished.length) this.#log(plan, names);
    return wished;
  }

  /** Tells the operator. If it is visible on paper, the waiting user is told too. */
  #tellLeftOut(plan: IppJobPlan, names: readonly string[], { onLeftOut }: WaitingOptions): void {
    if (names.length === 0) return;
    this.#log(plan, names);
    if (names.some((name) => isSeenOnPaper(name, plan))) onLeftOut?.(names);
  }

  #log({ jobName }: IppJobPlan, attributes: readonly string[]): void {
    const { log, uri } = this.#deps;
    log.warn('printer ignores job attributes', { printer: uri, release: releaseIn(jobName), attributes });
  }
}

/** In the printer's own words, if it has any. */
function waitFor({ reasons }: Problem): PrinterWait {
  if (reasons.some((reason) => reason.startsWith('connecting-to-device'))) return 'waking-up';
  return reasons.some((reason) => reason.endsWith('accepting-jobs')) ? 'rejecting' : 'busy';
}

/** The same text for plans that a printer judges alike; it contains no name. */
const likenessOf = ({ naming, format, job }: IppJobPlan): string =>
  createHash('sha256')
    .update(JSON.stringify([naming.userName, format, job]))
    .digest('base64');

function checkReady(printer: PrinterAttributes): void {
  const { obstacles, state, stateReasons } = printer;
  if (obstacles.length > 0) {
    // A spooler is just calling its printer; in a moment it will know whether the printer answers.
    const isCalling = obstacles.every((reason) => reason.startsWith('connecting-to-device'));
    throw new Problem(
      isCalling ? 'printer-busy' : 'printer-not-ready',
      `the printer is ${state} and needs attention`,
      { reasons: obstacles },
    );
  }
  if (printer.acceptingJobs) return;
  const reasons = ['printer-is-accepting-jobs', ...stateReasons];
  throw (
    rejection(printer) ??
    new Problem('printer-busy', 'the printer accepts no jobs while it works', { reasons })
  );
}

const notAsAsked = (reasons: readonly string[]) =>
  new Problem('printer-refused-job', 'the printer refused a step that every print needs', { reasons });

const throwOfJob = (error: unknown): never => {
  throw asRefusalOfJob(error);
};

const named = (name: string, text: string): readonly Attribute[] =>
  text === '' ? [] : [attribute(name, nameWithoutLanguage(text))];

export const jobNaming = ({ naming, tellsNoFidelity }: IppJobPlan): readonly Attribute[] => [
  ...named('job-name', naming.jobName),
  ...(tellsNoFidelity ? [] : [attribute('ipp-attribute-fidelity', boolean(false))]),
];

export const documentNaming = ({ naming, format }: IppJobPlan): readonly Attribute[] => [
  ...named('document-name', naming.documentName),
  attribute('document-format', mimeMediaType(format)),
];
