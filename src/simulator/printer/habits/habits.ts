/**
 * The lasting habits the virtual printer can have, by name, as many as one likes: what real devices do, each with who
 * has it and where that is told. A behaviour (`behaviour.ts`) is one at a time and ends; a habit stays.
 */
import type { HabitsOf, WishIn } from '../../habit-table.ts';
import { jobHabits } from './job-habits.ts';
import { speechHabits } from './speech-habits.ts';
import { standingHabits } from './standing-habits.ts';
import { webHabits } from './web-habits.ts';

export const printerHabits = { ...jobHabits, ...standingHabits, ...speechHabits, ...webHabits };

export type HabitWish = WishIn<typeof printerHabits>;

export type Habits = HabitsOf<typeof printerHabits>;
