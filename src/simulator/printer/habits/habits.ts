/**
 * The lasting habits of the virtual printer, by name. Each describes real devices and names a source, and a printer may
 * have several. A behaviour (`behaviour.ts`) is different: only one is active, and it ends.
 */
import type { HabitsOf, WishIn } from '../../habit-table.ts';
import { jobHabits } from './job-habits.ts';
import { speechHabits } from './speech-habits.ts';
import { standingHabits } from './standing-habits.ts';
import { webHabits } from './web-habits.ts';

export const printerHabits = { ...jobHabits, ...standingHabits, ...speechHabits, ...webHabits };

export type HabitWish = WishIn<typeof printerHabits>;

export type Habits = HabitsOf<typeof printerHabits>;
